/* Lists of ranked documents as a Python type. */

#include "python_types.h"

typedef struct {
    PyObject_HEAD
    query_lists content;
    PyObject *batches; /* a tuple; the lists look into them */
} lists_object;

static void lists_dealloc(PyObject *object)
{
    lists_object *self = (lists_object *)object;
    PyTypeObject *type = Py_TYPE(object);
    lists_free(&self->content);
    PyMem_Free((void *)self->content.batches);
    Py_XDECREF(self->batches);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

PyObject *module_group(PyObject *module, PyObject *args)
{
    PyObject *given;
    if (!PyArg_ParseTuple(args, "O:group", &given))
        return NULL;
    PyTypeObject *type = state_of(module)->lists_type;
    lists_object *self = (lists_object *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (self == NULL)
        return NULL;
    self->batches = PySequence_Tuple(given);
    const Py_ssize_t count = self->batches ? PyTuple_Size(self->batches) : 0;
    const batch **batches = PyMem_Malloc(((size_t)count + 1) * sizeof *batches);
    self->content.batches = batches;
    if (batches == NULL)
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < count && !PyErr_Occurred(); i++) {
        PyObject *one = PyTuple_GetItem(self->batches, i);
        if (Py_IS_TYPE(one, state_of(module)->batch_type))
            batches[i] = &((batch_object *)one)->content;
        else
            PyErr_SetString(PyExc_TypeError, "only batches can be grouped");
    }
    if (!PyErr_Occurred()) {
        self->content.batch_count = (size_t)count;
        int failed;
        Py_BEGIN_ALLOW_THREADS
        failed = lists_build(&self->content);
        Py_END_ALLOW_THREADS
        if (failed)
            PyErr_NoMemory();
    }
    if (PyErr_Occurred())
        Py_CLEAR(self);
    return (PyObject *)self;
}

static PyObject *lists_query_ids(PyObject *object, PyObject *Py_UNUSED(nothing))
{
    const query_lists *content = &((lists_object *)object)->content;
    static const uint8_t zeros[PADDING] = {0};
    vector text = {NULL, 0, 0}, bounds = {NULL, 0, 0};
    int failed = vector_add_bytes(&text, zeros, ID_PADDING) || vector_add_i64(&bounds, 0);
    for (size_t i = 0; i < content->queries.count && !failed; i++) {
        const ranked_query *one = (const ranked_query *)content->queries.items + i;
        failed = vector_add_bytes(&text, one->id, one->length)
                 || vector_add_i64(&bounds, (int64_t)(text.count - ID_PADDING));
    }
    failed = failed || vector_add_bytes(&text, zeros, PADDING);
    PyObject *answer = failed ? PyErr_NoMemory() : Py_BuildValue("(NN)", bytes_of(&text, 1), bytes_of(&bounds, 8));
    vector_free(&text);
    vector_free(&bounds);
    return answer;
}

/* The judged tables of a request, in memory that the caller frees; NULL and an exception if something else is there. */
static const judged **tables_of(PyObject *given, PyTypeObject *type, size_t *count)
{
    *count = (size_t)PyTuple_Size(given);
    const judged **tables = PyMem_Malloc((*count + 1) * sizeof *tables);
    for (size_t i = 0; tables && i < *count; i++) {
        PyObject *one = PyTuple_GetItem(given, (Py_ssize_t)i);
        if (!Py_IS_TYPE(one, type)) {
            PyErr_SetString(PyExc_TypeError, "expected a tuple of Judged");
            PyMem_Free((void *)tables);
            return NULL;
        }
        tables[i] = &((judged_object *)one)->content;
    }
    if (tables == NULL)
        PyErr_NoMemory();
    return tables;
}

static PyObject *repeated_as_list(const query_lists *content, const rank_result *result)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < result->repeated_kept; i++) {
        const repeated_row *one = &result->repeated[i];
        const ranked_query *query = (const ranked_query *)content->queries.items + one->query;
        PyObject *row = Py_BuildValue("(IIIIy#y#)", (unsigned int)one->batch, (unsigned int)one->line,
                                      (unsigned int)one->first_batch, (unsigned int)one->first_line, query->id,
                                      (Py_ssize_t)query->length, one->doc, (Py_ssize_t)one->length);
        if (row == NULL || PyList_Append(list, row))
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

static PyObject *hits_as_tuple(const rank_result *result)
{
    PyObject *all = PyTuple_New((Py_ssize_t)result->table_count);
    for (size_t i = 0; all && i < result->table_count; i++) {
        const judged_hits *hits = &result->hits[i];
        PyObject *one = Py_BuildValue("(NNNN)", bytes_of(&hits->places, 8), bytes_of(&hits->list, 8),
                                      bytes_of(&hits->rank, 8), bytes_of(&hits->row, 8));
        if (one == NULL || PyTuple_SetItem(all, (Py_ssize_t)i, one))
            Py_CLEAR(all);
    }
    return all;
}

static PyStructSequence_Field ranked_fields[] = {
    {"lengths", "int64: the length of every list"},
    {"tied", "bool: whether the tie rule decided about its depth"},
    {"dropped", "how many duplicates were dropped"},
    {"repeated", "documents that come twice: batch, line, first batch, first line, query, document"},
    {"repeated_total", "how many these are"},
    {"docs_text", "the documents at the top"},
    {"docs_bounds", "int64: where each begins and ends"},
    {"scores", "float64: their scores"},
    {"hits", "per table of judgments: places, lists, ranks and rows of the judged documents"},
    {NULL, NULL},
};

PyStructSequence_Desc ranked_description = {
    "runoff.rows._compiled.Ranked", "What some lists are when they are ranked.", ranked_fields, 9,
};

static PyObject *ranked_of(PyTypeObject *type, const query_lists *content, const rank_result *result)
{
    PyObject *parts[] = {
        bytes_of(&result->lengths, 8),        bytes_of(&result->tied, 1), PyLong_FromSize_t(result->dropped),
        repeated_as_list(content, result),    PyLong_FromSize_t(result->repeated_total),
        bytes_of(&result->docs, 1),           bytes_of(&result->bounds, 8), bytes_of(&result->scores, 8),
        hits_as_tuple(result),
    };
    PyObject *ranked = PyStructSequence_New(type);
    for (int i = 0; i < 9; i++)
        if (ranked)
            PyStructSequence_SetItem(ranked, i, parts[i]);
        else
            Py_XDECREF(parts[i]);
    if (PyErr_Occurred())
        Py_CLEAR(ranked);
    return ranked;
}

static PyObject *lists_rank_method(PyObject *object, PyTypeObject *defining, PyObject *const *args, Py_ssize_t count,
                                   PyObject *names)
{
    const query_lists *content = &((lists_object *)object)->content;
    module_state *state = PyType_GetModuleState(defining);
    if (count != 7 || (names && PyTuple_Size(names)) || !PyTuple_Check(args[2])) {
        PyErr_SetString(PyExc_TypeError, "rank() takes first, last, a tuple of Judged, depth, top, tie rule, duplicates");
        return NULL;
    }
    const Py_ssize_t first = PyLong_AsSsize_t(args[0]), last = PyLong_AsSsize_t(args[1]);
    const long long depth = PyLong_AsLongLong(args[3]), top = PyLong_AsLongLong(args[4]);
    const long ties = PyLong_AsLong(args[5]), duplicates = PyLong_AsLong(args[6]);
    if (PyErr_Occurred())
        return NULL;
    if (first < 0 || first > last || (size_t)last > content->queries.count || depth < -1 || top < -1 || ties < 0
        || ties > TIES_UNRANKED || duplicates < 0 || duplicates > DUPLICATES_BEST) {
        PyErr_SetString(PyExc_ValueError, "an argument of rank() is out of its range");
        return NULL;
    }
    rank_request request = {(size_t)first, (size_t)last, NULL, 0, depth, top, (enum tie_rule)ties,
                            (enum duplicate_rule)duplicates};
    request.tables = tables_of(args[2], state->judged_type, &request.table_count);
    if (request.tables == NULL)
        return NULL;
    rank_result result = {0};
    int failed;
    Py_BEGIN_ALLOW_THREADS
    failed = lists_rank(content, &request, &result);
    Py_END_ALLOW_THREADS
    PyObject *answer = failed ? PyErr_NoMemory() : ranked_of(state->ranked_type, content, &result);
    rank_result_free(&result);
    PyMem_Free((void *)request.tables);
    return answer;
}

static PyObject *get_queries(PyObject *object, void *Py_UNUSED(which))
{
    return PyLong_FromSize_t(((lists_object *)object)->content.queries.count);
}

static PyObject *get_rows(PyObject *object, void *Py_UNUSED(which))
{
    return PyLong_FromSize_t(((lists_object *)object)->content.rows);
}

static PyMethodDef lists_methods[] = {
    {"query_ids", lists_query_ids, METH_NOARGS, PyDoc_STR("The queries, by first appearance.")},
    {"rank", (PyCFunction)(void (*)(void))lists_rank_method, METH_METHOD | METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR("The ranked lists of some queries, and their judged documents.")},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef lists_getters[] = {
    {"queries", get_queries, NULL, "How many queries there are.", NULL},
    {"rows", get_rows, NULL, "How many rows they have in all.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot lists_slots[] = {
    {Py_tp_dealloc, lists_dealloc},
    {Py_tp_methods, lists_methods},
    {Py_tp_getset, lists_getters},
    {Py_tp_doc, "The rows of some batches by query."},
    {0, NULL},
};

PyType_Spec lists_spec = {
    "runoff.rows._compiled.Lists", sizeof(lists_object), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE, lists_slots,
};
