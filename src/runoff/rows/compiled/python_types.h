/* What the files of the Python module share. */

#ifndef RUNOFF_PYTHON_TYPES_H
#define RUNOFF_PYTHON_TYPES_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "rows.h"

typedef struct {
    PyObject_HEAD
    batch content;
    PyObject *faults; /* a list of tuples, made while the text is there */
    Py_buffer sources[5];
    int source_count;
} batch_object;

typedef struct {
    PyObject_HEAD
    judged content;
    Py_buffer sources[5];
    int source_count;
} judged_object;

typedef struct {
    PyTypeObject *batch_type, *lists_type, *judged_type, *ranked_type;
} module_state;

module_state *state_of(PyObject *module);

extern PyType_Spec batch_spec, lists_spec, judged_spec;
extern PyStructSequence_Desc ranked_description;

PyObject *module_parse_rows(PyObject *module, PyObject *args);
PyObject *module_columns_batch(PyObject *module, PyObject *args);
PyObject *module_group(PyObject *module, PyObject *args);
PyObject *module_judged(PyObject *module, PyObject *args);

/* The bytes between two positions of a text that is scanned; 0 and a ValueError if they cannot be. */
int text_between(const Py_buffer *buffer, Py_ssize_t begin, Py_ssize_t end, const uint8_t **text, uint32_t *size);
/* Whether a buffer has so many numbers of eight bytes: an array of them, or bytes at a place where they can be read. */
int has_numbers(const Py_buffer *buffer, Py_ssize_t count);
/* How many ids a column of them has; -1 and a ValueError if the bounds cannot be those of the text. */
Py_ssize_t count_ids(const Py_buffer *text, const Py_buffer *bounds, const char *what);
/* A vector as bytes. */
PyObject *bytes_of(const vector *items, size_t item_size);
/* Faults as a list of tuples; tokens are copied. */
PyObject *faults_as_list(const fault_list *faults);
void release_all(Py_buffer *buffers, int count);

#endif
