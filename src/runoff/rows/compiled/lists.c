/* The rows of several batches as one file: for every query the segments of rows that it has in the batches. */

#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "rows.h"

static int grow_table(const vector *queries, uint32_t **table, size_t *size)
{
    const size_t larger = *size ? 2 * *size : 256;
    uint32_t *slots = calloc(larger, sizeof *slots);
    if (slots == NULL)
        return -1;
    for (size_t place = 0; place < queries->count; place++) {
        size_t slot = ((ranked_query *)queries->items)[place].hash & (larger - 1);
        while (slots[slot])
            slot = (slot + 1) & (larger - 1);
        slots[slot] = (uint32_t)place + 1;
    }
    free(*table);
    *table = slots;
    *size = larger;
    return 0;
}

/* The place of a batch's query among all, added if it is new; -1: no memory. */
static int64_t place_of(query_lists *self, const batch_query *query, uint32_t **table, size_t *size)
{
    if (self->queries.count * 2 >= *size && grow_table(&self->queries, table, size))
        return -1;
    const ranked_query *known = self->queries.items;
    size_t slot = query->hash & (*size - 1);
    for (; (*table)[slot]; slot = (slot + 1) & (*size - 1)) {
        const ranked_query *one = known + ((*table)[slot] - 1);
        if (one->hash == query->hash && one->length == query->length && equal_bytes(one->id, query->id, one->length))
            return (*table)[slot] - 1;
    }
    if (vector_reserve(&self->queries, 1, sizeof(ranked_query)))
        return -1;
    const ranked_query added = {.id = query->id, .hash = query->hash, .length = query->length};
    ((ranked_query *)self->queries.items)[self->queries.count++] = added;
    (*table)[slot] = (uint32_t)self->queries.count;
    return (int64_t)self->queries.count - 1;
}

/* Every segment's query, in the order of the batches; the queries count their rows and segments. */
static int place_segments(query_lists *self, uint32_t *places)
{
    uint32_t *table = NULL;
    size_t size = 0, done = 0;
    for (size_t number = 0; number < self->batch_count; number++) {
        const vector *queries = &self->batches[number]->queries;
        for (size_t i = 0; i < queries->count; i++) {
            const batch_query *query = (const batch_query *)queries->items + i;
            const int64_t place = place_of(self, query, &table, &size);
            if (place < 0) {
                free(table);
                return -1;
            }
            ranked_query *one = (ranked_query *)self->queries.items + place;
            one->rows += query->count;
            one->segments++;
            places[done++] = (uint32_t)place;
        }
        self->rows += self->batches[number]->rows.count;
    }
    free(table);
    return 0;
}

int lists_build(query_lists *self)
{
    size_t total = 0;
    for (size_t number = 0; number < self->batch_count; number++)
        total += self->batches[number]->queries.count;
    uint32_t *places = malloc((total + 1) * sizeof *places);
    self->segments = malloc((total + 1) * sizeof *self->segments);
    if (places == NULL || self->segments == NULL || total >= UINT32_MAX || place_segments(self, places)) {
        free(places);
        return -1;
    }
    ranked_query *queries = self->queries.items;
    size_t start = 0;
    for (size_t i = 0; i < self->queries.count; i++) {
        queries[i].first_segment = start;
        start += queries[i].segments;
        queries[i].segments = 0;
    }
    size_t done = 0;
    for (size_t number = 0; number < self->batch_count; number++)
        for (size_t i = 0; i < self->batches[number]->queries.count; i++) {
            ranked_query *one = queries + places[done++];
            const segment added = {(uint32_t)number, (uint32_t)i};
            self->segments[one->first_segment + one->segments++] = added;
        }
    free(places);
    return 0;
}

void lists_free(query_lists *self)
{
    vector_free(&self->queries);
    free(self->segments);
    self->segments = NULL;
}
