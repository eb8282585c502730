/* Sorting that keeps the order of equal items and never takes more than n log n steps. */

#ifndef RUNOFF_SORT_H
#define RUNOFF_SORT_H

#include "rows.h"

typedef struct {
    uint64_t key; /* higher first */
    uint32_t index;
} sort_item;

/* Sort items by key, highest first; where keys are equal, and rows are given, by the rows' documents: descending, or
   ascending for `ascending`. `spare` has as much room as the items. The sorted ones are in the array that is returned. */
sort_item *sort_items(sort_item *items, sort_item *spare, size_t count, const row *rows, int ascending);

#endif
