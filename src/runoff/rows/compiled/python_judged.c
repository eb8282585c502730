/* Judged documents as a Python type. */

#include "python_types.h"

#include "bytes.h"

static void judged_dealloc(PyObject *object)
{
    judged_object *self = (judged_object *)object;
    PyTypeObject *type = Py_TYPE(object);
    judged_free(&self->content);
    release_all(self->sources, self->source_count);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

/* The columns of the table, checked; 0 and an exception if they cannot be. */
static int take_columns(judged_object *self)
{
    judged *content = &self->content;
    const Py_buffer *from = self->sources;
    const Py_ssize_t queries = count_ids(&from[0], &from[1], "queries");
    const Py_ssize_t rows = queries < 0 ? -1 : count_ids(&from[3], &from[4], "documents");
    if (rows < 0)
        return 0;
    const int64_t *row_query = from[2].buf;
    int is_fine = has_numbers(&from[2], rows) && (size_t)rows < UINT32_MAX && (size_t)queries < UINT32_MAX;
    for (Py_ssize_t row = 0; is_fine && row < rows; row++)
        is_fine = row_query[row] >= 0 && row_query[row] < queries;
    if (!is_fine) {
        PyErr_SetString(PyExc_ValueError, "judgments of unknown queries; expected the place of a query for every row");
        return 0;
    }
    content->query_text = from[0].buf;
    content->query_bounds = from[1].buf;
    content->row_query = row_query;
    content->doc_text = from[3].buf;
    content->doc_bounds = from[4].buf;
    content->queries = (size_t)queries;
    content->rows = (size_t)rows;
    return 1;
}

PyObject *module_judged(PyObject *module, PyObject *args)
{
    PyTypeObject *type = state_of(module)->judged_type;
    judged_object *self = (judged_object *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (self == NULL)
        return NULL;
    Py_buffer *from = self->sources;
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*:Judged", &from[0], &from[1], &from[2], &from[3], &from[4])) {
        Py_DECREF(self);
        return NULL;
    }
    self->source_count = 5;
    if (take_columns(self)) {
        int failed;
        Py_BEGIN_ALLOW_THREADS
        failed = judged_build(&self->content);
        Py_END_ALLOW_THREADS
        if (!failed)
            return (PyObject *)self;
        PyErr_NoMemory();
    }
    Py_DECREF(self);
    return NULL;
}

static PyObject *judged_find(PyObject *object, PyObject *args)
{
    const judged *content = &((judged_object *)object)->content;
    Py_buffer from[3];
    if (!PyArg_ParseTuple(args, "y*y*y*:find", &from[0], &from[1], &from[2]))
        return NULL;
    const int64_t *places = from[0].buf, *bounds = from[2].buf;
    const Py_ssize_t rows = count_ids(&from[1], &from[2], "documents");
    int is_fine = rows >= 0 && has_numbers(&from[0], rows);
    for (Py_ssize_t i = 0; is_fine && i < rows; i++)
        is_fine = places[i] >= -1 && places[i] < (int64_t)content->queries;
    PyObject *answer = is_fine ? PyBytes_FromStringAndSize(NULL, 8 * rows) : NULL;
    if (!is_fine && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "a place is not that of a query; expected as many places as documents, from -1");
    if (answer) {
        char *to = PyBytes_AsString(answer);
        Py_BEGIN_ALLOW_THREADS
        for (Py_ssize_t i = 0; i < rows; i++) {
            const uint8_t *doc = (const uint8_t *)from[1].buf + bounds[i];
            const size_t length = (size_t)(bounds[i + 1] - bounds[i]);
            const int64_t row =
                places[i] < 0 ? -1 : judged_row(content, places[i], doc, length, hash_bytes(doc, length));
            memcpy(to + 8 * i, &row, 8);
        }
        Py_END_ALLOW_THREADS
    }
    release_all(from, 3);
    return answer;
}

static PyObject *get_repeated(PyObject *object, void *Py_UNUSED(which))
{
    const judged *content = &((judged_object *)object)->content;
    if (content->repeated < 0)
        Py_RETURN_NONE;
    return Py_BuildValue("(LL)", (long long)content->repeated, (long long)content->repeats);
}

static PyObject *get_queries(PyObject *object, void *Py_UNUSED(which))
{
    return PyLong_FromSize_t(((judged_object *)object)->content.queries);
}

static PyMethodDef judged_methods[] = {
    {"find", judged_find, METH_VARARGS, PyDoc_STR("The row of the judgment of every (query, document), or -1.")},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef judged_getters[] = {
    {"repeated", get_repeated, NULL, "The first row whose query and document came before, and that row.", NULL},
    {"queries", get_queries, NULL, "How many queries it has.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot judged_slots[] = {
    {Py_tp_dealloc, judged_dealloc},
    {Py_tp_methods, judged_methods},
    {Py_tp_getset, judged_getters},
    {Py_tp_doc, "Judged documents by query."},
    {0, NULL},
};

PyType_Spec judged_spec = {
    "runoff.rows._compiled.Judged", sizeof(judged_object), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE, judged_slots,
};
