/* The rows of a text, one after the other, with the faults of the lines that are none. */

#ifndef RUNOFF_READER_H
#define RUNOFF_READER_H

#include "bytes.h"
#include "rows.h"

typedef struct {
    scanner lines;
    uint32_t width;
    int open_end;
    uint32_t line;         /* lines passed so far */
    const bad_line *bad;   /* lines to pass over, and their end */
    const bad_line *bad_end;
    fault_list *faults;
} row_reader;

/* A line with the wrong number of fields, or a bad one; passes over it. */
static void note_wrong_line(row_reader *self, uint32_t end, const bad_line *bad)
{
    fault one = {self->line, FAULT_WIDTH, 0, 0, NULL};
    if (bad) {
        one.kind = bad->kind;
        one.value = bad->value;
    } else {
        one.value = scanner_count_fields(&self->lines, end);
    }
    add_fault(self->faults, one);
    scanner_skip_line(&self->lines, end, 0);
}

/* The next row: its fields begin at (*fields)[0], (*fields)[2] and so on, and end at [1], [3]. 0: no more; -1: no memory. */
static inline int next_row(row_reader *self, const uint32_t **fields)
{
    scanner *lines = &self->lines;
    const size_t width = 2 * (size_t)self->width;
    for (;;) {
        uint32_t end;
        const int is_there = scanner_next_line(lines, &end);
        if (RARE(is_there != 1))
            return is_there;
        self->line++;
        if (RARE(self->bad != self->bad_end) && self->bad->line == self->line) {
            note_wrong_line(self, end, self->bad++);
            continue;
        }
        const uint32_t *edges = lines->edges + lines->edge;
        if (RARE(edges[0] >= end))
            continue; /* blank */
        if (RARE(lines->text[edges[0]] == '#')) {
            scanner_skip_line(lines, end, 1);
            continue;
        }
        /* edges are in order, so these two tell that the line has at least, and exactly, so many fields */
        if (RARE(lines->edge_count - lines->edge < width || edges[width - 1] > end)) {
            note_wrong_line(self, end, NULL);
            continue;
        }
        if (RARE(edges[width] < end)) {
            if (!self->open_end) {
                note_wrong_line(self, end, NULL);
                continue;
            }
            scanner_skip_line(lines, end, self->width);
        } else {
            lines->edge += width;
        }
        *fields = edges;
        return 1;
    }
}

#endif
