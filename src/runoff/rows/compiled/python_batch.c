/* Batches and judged documents as Python types. */

#include "python_types.h"

#include <math.h>

#include "bytes.h"

static batch_object *new_batch(PyObject *module)
{
    PyTypeObject *type = state_of(module)->batch_type;
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    return (batch_object *)alloc(type, 0); /* all zeros */
}

static void batch_dealloc(PyObject *object)
{
    batch_object *self = (batch_object *)object;
    PyTypeObject *type = Py_TYPE(object);
    batch_free(&self->content);
    Py_XDECREF(self->faults);
    release_all(self->sources, self->source_count);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

/* Numbers that are hard, by Python's own way, which is exact. */
static int settle_hard(batch *content, enum number_kind kind)
{
    const hard_number *numbers = content->hard.items;
    for (size_t i = 0; i < content->hard.count; i++) {
        PyObject *text = PyUnicode_FromStringAndSize((const char *)numbers[i].token, (Py_ssize_t)numbers[i].length);
        PyObject *number = text ? PyFloat_FromString(text) : NULL;
        if (number)
            batch_set_score(content, numbers + i, kind, PyFloat_AsDouble(number));
        Py_XDECREF(text);
        if (number == NULL)
            return -1;
        Py_DECREF(number);
    }
    return 0;
}

static int check_layout(const layout *form, unsigned int kind)
{
    const uint32_t width = form->width;
    if (width >= 1 && width <= 1000 && form->query < width && form->doc < width && form->number < width
        && kind <= NUMBER_GRADE)
        return 1;
    PyErr_SetString(PyExc_ValueError, "a column is not among the fields; or the kind of number is unknown; expected columns below the width");
    return 0;
}

PyObject *module_parse_rows(PyObject *module, PyObject *args)
{
    Py_buffer buffer;
    Py_ssize_t begin, end;
    layout form;
    unsigned int kind;
    int keep;
    if (!PyArg_ParseTuple(args, "y*nn(IpIIII)p:parse_rows", &buffer, &begin, &end, &form.width, &form.open_end,
                          &form.query, &form.doc, &form.number, &kind, &keep))
        return NULL;
    const uint8_t *text;
    uint32_t size;
    batch_object *self = NULL;
    form.kind = kind <= NUMBER_GRADE ? (enum number_kind)kind : NUMBER_SCORE;
    if (!check_layout(&form, kind) || !text_between(&buffer, begin, end, &text, &size) || (self = new_batch(module)) == NULL) {
        PyBuffer_Release(&buffer);
        return NULL;
    }
    self->sources[0] = buffer;
    self->source_count = 1;
    int failed;
    Py_BEGIN_ALLOW_THREADS
    failed = batch_read(&self->content, text, size, &form);
    Py_END_ALLOW_THREADS
    if (failed)
        PyErr_NoMemory();
    else if (settle_hard(&self->content, form.kind) == 0 && (self->faults = faults_as_list(&self->content.faults)) != NULL) {
        Py_BEGIN_ALLOW_THREADS
        failed = batch_arrange(&self->content, keep);
        Py_END_ALLOW_THREADS
        if (failed)
            PyErr_NoMemory();
        if (keep) {
            release_all(self->sources, 1);
            self->source_count = 0;
        }
    }
    if (PyErr_Occurred())
        Py_CLEAR(self);
    return (PyObject *)self;
}

PyObject *module_columns_batch(PyObject *module, PyObject *args)
{
    batch_object *self = new_batch(module);
    if (self == NULL)
        return NULL;
    Py_buffer *from = self->sources;
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*:columns_batch", &from[0], &from[1], &from[2], &from[3], &from[4])) {
        Py_DECREF(self);
        return NULL;
    }
    self->source_count = 5;
    const Py_ssize_t rows = count_ids(&from[0], &from[1], "queries");
    const Py_ssize_t docs = rows < 0 ? -1 : count_ids(&from[2], &from[3], "documents");
    if (docs >= 0 && (docs != rows || !has_numbers(&from[4], rows) || (size_t)rows > MOST_TEXT))
        PyErr_SetString(PyExc_ValueError, "columns differ in length; expected as many queries, documents and scores");
    if (PyErr_Occurred()) {
        Py_DECREF(self);
        return NULL;
    }
    int failed;
    Py_BEGIN_ALLOW_THREADS
    failed = batch_take(&self->content, from[0].buf, from[1].buf, from[2].buf, from[3].buf, from[4].buf, (uint32_t)rows)
             || batch_arrange(&self->content, 0);
    Py_END_ALLOW_THREADS
    self->faults = PyList_New(0);
    if (failed)
        PyErr_NoMemory();
    if (PyErr_Occurred())
        Py_CLEAR(self);
    return (PyObject *)self;
}

enum { GET_ROWS, GET_QUERIES, GET_LINES, GET_TOTAL };

static PyObject *get_count(PyObject *object, void *which)
{
    const batch *content = &((batch_object *)object)->content;
    switch ((intptr_t)which) {
    case GET_ROWS:
        return PyLong_FromSize_t(content->rows.count);
    case GET_QUERIES:
        return PyLong_FromSize_t(content->queries.count);
    case GET_LINES:
        return PyLong_FromUnsignedLong(content->line_count);
    default:
        return PyLong_FromSize_t(content->faults.total);
    }
}

static PyObject *get_in_blocks(PyObject *object, void *Py_UNUSED(which))
{
    return PyBool_FromLong(((batch_object *)object)->content.in_blocks);
}

static PyObject *get_faults(PyObject *object, void *Py_UNUSED(which))
{
    PyObject *faults = ((batch_object *)object)->faults;
    return faults ? Py_NewRef(faults) : PyList_New(0);
}

static PyGetSetDef batch_getters[] = {
    {"rows", get_count, NULL, "How many rows it has.", (void *)(intptr_t)GET_ROWS},
    {"queries", get_count, NULL, "How many queries they are for.", (void *)(intptr_t)GET_QUERIES},
    {"lines", get_count, NULL, "How many lines the text has.", (void *)(intptr_t)GET_LINES},
    {"fault_total", get_count, NULL, "How many faults it has.", (void *)(intptr_t)GET_TOTAL},
    {"faults", get_faults, NULL, "The first of them: line, kind, value, token.", NULL},
    {"in_blocks", get_in_blocks, NULL, "Whether no query comes back after another one.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot batch_slots[] = {
    {Py_tp_dealloc, batch_dealloc},
    {Py_tp_getset, batch_getters},
    {Py_tp_doc, "Rows that were read together."},
    {0, NULL},
};

PyType_Spec batch_spec = {
    "runoff.rows._compiled.Batch", sizeof(batch_object), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE, batch_slots,
};
