/* Judged documents: one small hash table per query, so that a list's lookups stay in the cache. */

#include <stdlib.h>

#include "bytes.h"
#include "rows.h"

uint64_t hash_secret[4] = {0x243F6A8885A308D3u, 0x13198A2E03707344u, 0xA4093822299F31D0u, 0x082EFA98EC4E6C89u};

/* The high half of a slot. */
static inline uint64_t tag_of(uint64_t hash)
{
    return hash & 0xFFFFFFFF00000000u;
}

static size_t table_size_for(size_t items)
{
    size_t size = items ? 2 : 0;
    while (size < 2 * items)
        size *= 2;
    return size;
}

static inline size_t query_length(const judged *self, size_t place)
{
    return (size_t)(self->query_bounds[place + 1] - self->query_bounds[place]);
}

static int build_query_table(judged *self)
{
    self->query_table_size = table_size_for(self->queries + 1);
    self->query_table = calloc(self->query_table_size, sizeof *self->query_table);
    if (self->query_table == NULL)
        return -1;
    const size_t mask = self->query_table_size - 1;
    for (size_t place = 0; place < self->queries; place++) {
        size_t slot = hash_bytes(self->query_text + self->query_bounds[place], query_length(self, place)) & mask;
        while (self->query_table[slot])
            slot = (slot + 1) & mask;
        self->query_table[slot] = (uint32_t)place + 1;
    }
    return 0;
}

/* The slot of a document, which is free if it is not judged. */
static inline size_t find_slot(const judged *self, int64_t place, const uint8_t *doc, size_t length, uint64_t hash)
{
    const size_t start = self->slot_start[place];
    const size_t mask = self->slot_start[place + 1] - start - 1;
    size_t slot = (size_t)hash & mask;
    for (;; slot = (slot + 1) & mask) {
        const uint64_t found = self->slots[start + slot];
        if (found == 0)
            return start + slot;
        if (tag_of(found) != tag_of(hash))
            continue;
        const size_t row = (size_t)(found & UINT32_MAX) - 1;
        const int64_t begin = self->doc_bounds[row];
        if ((size_t)(self->doc_bounds[row + 1] - begin) == length && equal_bytes(self->doc_text + begin, doc, length))
            return start + slot;
    }
}

int judged_build(judged *self)
{
    self->repeated = self->repeats = -1;
    self->slot_start = calloc(self->queries + 1, sizeof *self->slot_start);
    if (self->slot_start == NULL || build_query_table(self))
        return -1;
    for (size_t row = 0; row < self->rows; row++)
        self->slot_start[self->row_query[row]]++;
    size_t start = 0;
    for (size_t place = 0; place <= self->queries; place++) {
        const size_t size = place < self->queries ? table_size_for(self->slot_start[place]) : 0;
        self->slot_start[place] = start;
        start += size;
    }
    self->slots = calloc(start ? start : 1, sizeof *self->slots);
    if (self->slots == NULL)
        return -1;
    for (size_t row = 0; row < self->rows; row++) {
        const uint8_t *doc = self->doc_text + self->doc_bounds[row];
        const size_t length = (size_t)(self->doc_bounds[row + 1] - self->doc_bounds[row]);
        const uint64_t hash = hash_bytes(doc, length);
        uint64_t *slot = self->slots + find_slot(self, self->row_query[row], doc, length, hash);
        if (*slot == 0) {
            *slot = tag_of(hash) | (row + 1);
        } else if (self->repeated < 0) {
            self->repeated = (int64_t)row;
            self->repeats = (int64_t)(*slot & UINT32_MAX) - 1;
        }
    }
    return 0;
}

int64_t judged_place(const judged *self, const uint8_t *id, size_t length, uint64_t hash)
{
    const size_t mask = self->query_table_size - 1;
    for (size_t slot = hash & mask; self->query_table[slot]; slot = (slot + 1) & mask) {
        const size_t place = self->query_table[slot] - 1;
        if (query_length(self, place) == length && equal_bytes(self->query_text + self->query_bounds[place], id, length))
            return (int64_t)place;
    }
    return -1;
}

int64_t judged_row(const judged *self, int64_t place, const uint8_t *doc, size_t length, uint64_t hash)
{
    if (judged_slot_count(self, place) == 0)
        return -1;
    return (int64_t)(self->slots[find_slot(self, place, doc, length, hash)] & UINT32_MAX) - 1;
}

void judged_free(judged *self)
{
    free(self->query_table);
    free(self->slots);
    free(self->slot_start);
    self->query_table = NULL;
    self->slots = NULL;
    self->slot_start = NULL;
}
