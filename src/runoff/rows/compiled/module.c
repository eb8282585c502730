/* The Python module: functions on text, and how the types become one module. */

#include "python_types.h"

#include <math.h>

#include "bytes.h"
#include "decimal.h"

module_state *state_of(PyObject *module)
{
    return PyModule_GetState(module);
}

void release_all(Py_buffer *buffers, int count)
{
    for (int i = 0; i < count; i++)
        PyBuffer_Release(&buffers[i]);
}

PyObject *bytes_of(const vector *items, size_t item_size)
{
    return PyBytes_FromStringAndSize(items->items, (Py_ssize_t)(items->count * item_size));
}

int text_between(const Py_buffer *buffer, Py_ssize_t begin, Py_ssize_t end, const uint8_t **text, uint32_t *size)
{
    if (begin < 0 || begin > end || end > buffer->len - PADDING) {
        PyErr_Format(PyExc_ValueError, "bytes %zd to %zd of %zd; expected %d more bytes behind the end", begin, end,
                     buffer->len, PADDING);
        return 0;
    }
    if ((size_t)(end - begin) > MOST_TEXT) {
        PyErr_Format(PyExc_ValueError, "%zd bytes at once; expected fewer than 4 GB", end - begin);
        return 0;
    }
    *text = (const uint8_t *)buffer->buf + begin;
    *size = (uint32_t)(end - begin);
    if (*size && (*text)[*size - 1] != 10) {
        PyErr_SetString(PyExc_ValueError, "the text does not end with a newline; expected whole lines");
        return 0;
    }
    return 1;
}

int has_numbers(const Py_buffer *buffer, Py_ssize_t count)
{
    return buffer->len == 8 * count && (buffer->itemsize == 8 || buffer->itemsize == 1)
           && (uintptr_t)buffer->buf % sizeof(int64_t) == 0;
}

Py_ssize_t count_ids(const Py_buffer *text, const Py_buffer *bounds, const char *what)
{
    const int64_t *places = bounds->buf;
    const Py_ssize_t count = bounds->len / 8 - 1;
    int is_fine = count >= 0 && has_numbers(bounds, count + 1);
    is_fine = is_fine && places[0] >= 0 && places[count] <= text->len - ID_PADDING;
    for (Py_ssize_t i = 0; is_fine && i < count; i++)
        is_fine = places[i] <= places[i + 1] && places[i + 1] - places[i] < (int64_t)MOST_TEXT;
    if (is_fine)
        return count;
    PyErr_Format(PyExc_ValueError, "the bounds of %s do not fit their text; expected ascending int64 within it", what);
    return -1;
}

PyObject *faults_as_list(const fault_list *faults)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < faults->kept; i++) {
        const fault *one = &faults->first[i];
        PyObject *row = Py_BuildValue("(IIIy#)", (unsigned int)one->line, (unsigned int)one->kind,
                                      (unsigned int)one->value, one->token ? (const char *)one->token : "",
                                      (Py_ssize_t)one->token_length);
        if (row == NULL || PyList_Append(list, row))
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

static PyObject *module_split_fields(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer buffer;
    Py_ssize_t begin, end;
    unsigned int width;
    int open_end;
    if (!PyArg_ParseTuple(args, "y*nnIp:split_fields", &buffer, &begin, &end, &width, &open_end))
        return NULL;
    const uint8_t *text;
    uint32_t size;
    PyObject *answer = NULL;
    if (width < 1 || width > 1000) {
        PyErr_Format(PyExc_ValueError, "%u fields; expected 1 to 1000", width);
    } else if (text_between(&buffer, begin, end, &text, &size)) {
        field_table table = {0};
        int failed;
        Py_BEGIN_ALLOW_THREADS
        failed = split_fields(text, size, width, open_end, &table);
        for (size_t i = 0; i < table.starts.count && !failed; i++) {
            ((int64_t *)table.starts.items)[i] += begin;
            ((int64_t *)table.ends.items)[i] += begin;
        }
        Py_END_ALLOW_THREADS
        if (failed)
            PyErr_NoMemory();
        else
            answer = Py_BuildValue("(NNNINn)", bytes_of(&table.starts, 8), bytes_of(&table.ends, 8),
                                   bytes_of(&table.lines, 8), (unsigned int)table.line_count,
                                   faults_as_list(&table.faults), (Py_ssize_t)table.faults.total);
        field_table_free(&table);
    }
    PyBuffer_Release(&buffer);
    return answer;
}

static PyObject *module_block_start(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer buffer;
    Py_ssize_t begin, end;
    unsigned int column;
    if (!PyArg_ParseTuple(args, "y*nnI:block_start", &buffer, &begin, &end, &column))
        return NULL;
    const uint8_t *text;
    uint32_t size;
    PyObject *answer = NULL;
    if (text_between(&buffer, begin, end, &text, &size)) {
        uint32_t start;
        Py_BEGIN_ALLOW_THREADS
        start = block_start(text, size, column);
        Py_END_ALLOW_THREADS
        answer = PyLong_FromSsize_t(begin + (Py_ssize_t)start);
    }
    PyBuffer_Release(&buffer);
    return answer;
}

/* All tokens must lie within the buffer, with room behind the last. */
static int check_tokens(const Py_buffer *buffer, const int64_t *starts, const int64_t *lengths, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < count; i++)
        if (starts[i] < 0 || lengths[i] < 0 || lengths[i] > buffer->len
            || starts[i] > buffer->len - PADDING - lengths[i]) {
            PyErr_Format(PyExc_ValueError, "token %zd is not within the text; expected %d more bytes behind it", i,
                         PADDING);
            return 0;
        }
    return 1;
}

static PyObject *module_parse_decimals(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer buffers[3];
    if (!PyArg_ParseTuple(args, "y*y*y*:parse_decimals", &buffers[0], &buffers[1], &buffers[2]))
        return NULL;
    const int64_t *starts = buffers[1].buf, *lengths = buffers[2].buf;
    const Py_ssize_t count = buffers[1].len / 8;
    PyObject *answer = NULL;
    if (!has_numbers(&buffers[1], count) || !has_numbers(&buffers[2], count))
        PyErr_SetString(PyExc_ValueError, "starts and lengths differ in number; expected as many int64 of both");
    else if (check_tokens(&buffers[0], starts, lengths, count))
        answer = PyBytes_FromStringAndSize(NULL, 8 * count);
    double *values = answer ? (double *)PyBytes_AsString(answer) : NULL;
    for (Py_ssize_t i = 0; answer && i < count; i++) {
        const char *token = (const char *)buffers[0].buf + starts[i];
        double value = NAN;
        switch (read_decimal((const uint8_t *)token, (size_t)lengths[i], &value)) {
        case DECIMAL_READ:
            break;
        case DECIMAL_BAD:
            value = NAN;
            break;
        case DECIMAL_HARD: {
            PyObject *text = PyUnicode_FromStringAndSize(token, lengths[i]);
            PyObject *number = text ? PyFloat_FromString(text) : NULL;
            value = number ? PyFloat_AsDouble(number) : NAN;
            if (number == NULL)
                Py_CLEAR(answer);
            Py_XDECREF(number);
            Py_XDECREF(text);
            value = isfinite(value) ? value : NAN;
        }
        }
        if (answer)
            memcpy(values + i, &value, 8);
    }
    release_all(buffers, 3);
    return answer;
}

static PyObject *module_set_hash_secret(PyObject *Py_UNUSED(module), PyObject *args)
{
    const char *bytes;
    Py_ssize_t length;
    if (!PyArg_ParseTuple(args, "y#:set_hash_secret", &bytes, &length))
        return NULL;
    if (length != (Py_ssize_t)sizeof hash_secret) {
        PyErr_Format(PyExc_ValueError, "%zd bytes; expected %zu", length, sizeof hash_secret);
        return NULL;
    }
    memcpy(hash_secret, bytes, sizeof hash_secret);
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"split_fields", module_split_fields, METH_VARARGS, PyDoc_STR("All rows of a text as positions of their fields.")},
    {"parse_decimals", module_parse_decimals, METH_VARARGS, PyDoc_STR("The numbers that some tokens spell.")},
    {"block_start", module_block_start, METH_VARARGS, PyDoc_STR("Where the last query of a text begins.")},
    {"parse_rows", module_parse_rows, METH_VARARGS, PyDoc_STR("The rows of a text of a run.")},
    {"columns_batch", module_columns_batch, METH_VARARGS, PyDoc_STR("The rows of columns of a run.")},
    {"group", module_group, METH_VARARGS, PyDoc_STR("The rows of some batches by query.")},
    {"Judged", module_judged, METH_VARARGS, PyDoc_STR("A table of judged documents.")},
    {"_set_hash_secret", module_set_hash_secret, METH_VARARGS,
     PyDoc_STR("Fix the secret of the hashes; for tests, before anything else is made.")},
    {NULL, NULL, 0, NULL},
};

/* Draw the secret of the hashes. */
static int draw_secret(void)
{
    PyObject *os = PyImport_ImportModule("os");
    PyObject *bytes = os ? PyObject_CallMethod(os, "urandom", "n", (Py_ssize_t)sizeof hash_secret) : NULL;
    const char *drawn = bytes ? PyBytes_AsString(bytes) : NULL;
    if (drawn)
        memcpy(hash_secret, drawn, sizeof hash_secret);
    Py_XDECREF(bytes);
    Py_XDECREF(os);
    return drawn ? 0 : -1;
}

static int add_constants(PyObject *module)
{
    static const struct {
        const char *name;
        long value;
    } constants[] = {
        {"PADDING", PADDING},
        {"MOST_FAULTS", MOST_FAULTS},
        {"CONTROL", FAULT_CONTROL},
        {"NOT_UTF8", FAULT_NOT_UTF8},
        {"WIDTH", FAULT_WIDTH},
        {"NUMBER", FAULT_NUMBER},
        {"TREC_EVAL", TIES_TREC_EVAL},
        {"FLOAT32", TIES_FLOAT32},
        {"FILE", TIES_FILE},
        {"DOC_ASCENDING", TIES_DOC_ASCENDING},
        {"UNRANKED", TIES_UNRANKED},
        {"SCORE", NUMBER_SCORE},
        {"RANK", NUMBER_RANK},
        {"GRADE", NUMBER_GRADE},
        {"HIGHEST_GRADE", HIGHEST_GRADE},
        {"ERROR", DUPLICATES_ERROR},
        {"FIRST", DUPLICATES_FIRST},
        {"BEST", DUPLICATES_BEST},
    };
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (PyModule_AddIntConstant(module, constants[i].name, constants[i].value))
            return -1;
    return 0;
}

static int fill_module(PyObject *module)
{
    static int is_drawn = 0; /* tables that exist already were made with the secret of the first import */
    if (!is_drawn && draw_secret())
        return -1;
    is_drawn = 1;
    module_state *state = state_of(module);
    state->batch_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &batch_spec, NULL);
    state->lists_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &lists_spec, NULL);
    state->judged_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &judged_spec, NULL);
    state->ranked_type = PyStructSequence_NewType(&ranked_description);
    if (!state->batch_type || !state->lists_type || !state->judged_type || !state->ranked_type)
        return -1;
    if (PyModule_AddType(module, state->batch_type) || PyModule_AddType(module, state->lists_type)
        || PyModule_AddType(module, state->ranked_type))
        return -1;
    return add_constants(module);
}

static int traverse_module(PyObject *module, visitproc visit, void *arg)
{
    module_state *state = state_of(module);
    Py_VISIT(state->batch_type);
    Py_VISIT(state->lists_type);
    Py_VISIT(state->judged_type);
    Py_VISIT(state->ranked_type);
    return 0;
}

static int clear_module(PyObject *module)
{
    module_state *state = state_of(module);
    Py_CLEAR(state->batch_type);
    Py_CLEAR(state->lists_type);
    Py_CLEAR(state->judged_type);
    Py_CLEAR(state->ranked_type);
    return 0;
}

/* Otherwise every interpreter that imports the module would leave its types behind. */
static void free_module(void *module)
{
    clear_module(module);
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, fill_module}, {0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "runoff.rows._compiled",
    .m_doc = "Rows of runs and labels, compiled; `reference` says in Python what it does.",
    .m_size = sizeof(module_state),
    .m_methods = functions,
    .m_slots = slots,
    .m_traverse = traverse_module,
    .m_clear = clear_module,
    .m_free = free_module,
};

PyMODINIT_FUNC PyInit__compiled(void)
{
    return PyModuleDef_Init(&definition);
}
