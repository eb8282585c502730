/* A batch: rows that were read together, from text or from columns, grouped by query. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decimal.h"
#include "reader.h"

/* Twice as many slots for the places of queries, by hash. */
static int grow_table(batch *self)
{
    const size_t size = self->table_size ? 2 * self->table_size : 256;
    uint32_t *table = calloc(size, sizeof *table);
    if (table == NULL)
        return -1;
    const batch_query *queries = self->queries.items;
    for (uint32_t place = 0; place < self->queries.count; place++) {
        size_t slot = (size_t)queries[place].hash & (size - 1);
        while (table[slot])
            slot = (slot + 1) & (size - 1);
        table[slot] = place + 1;
    }
    free(self->table);
    self->table = table;
    self->table_size = size;
    return 0;
}

/* The place of a query, which is added if it is new; -1: no memory. */
static int64_t query_place(batch *self, const uint8_t *id, uint32_t length)
{
    if (self->queries.count * 2 >= self->table_size && grow_table(self))
        return -1;
    const uint64_t hash = hash_bytes(id, length);
    const uint64_t prefix = length >= 8 ? load_word(id) : length ? load_tail(id, length) : 0;
    const batch_query *queries = self->queries.items;
    size_t slot = (size_t)hash & (self->table_size - 1);
    for (; self->table[slot]; slot = (slot + 1) & (self->table_size - 1)) {
        const batch_query *known = queries + (self->table[slot] - 1);
        if (known->hash == hash && known->prefix == prefix && known->length == length
            && (length <= 8 || equal_bytes(known->id, id, length)))
            return self->table[slot] - 1;
    }
    if (vector_reserve(&self->queries, 1, sizeof(batch_query)))
        return -1;
    const batch_query added = {id, hash, prefix, length, 0, 0};
    ((batch_query *)self->queries.items)[self->queries.count++] = added;
    self->table[slot] = (uint32_t)self->queries.count;
    return (int64_t)self->queries.count - 1;
}

/* The rows from here on belong to this query, until the next block. */
static int begin_block(batch *self, const uint8_t *id, uint32_t length)
{
    const size_t known = self->queries.count;
    const int64_t place = query_place(self, id, length);
    if (place < 0 || vector_reserve(&self->blocks, 2, sizeof(uint32_t)))
        return -1;
    if (self->queries.count == known)
        self->in_blocks = 0;
    uint32_t *block = (uint32_t *)self->blocks.items + self->blocks.count;
    block[0] = (uint32_t)place;
    block[1] = (uint32_t)self->rows.count;
    self->blocks.count += 2;
    return 0;
}

/* The score of a row that is being added, from its token. */
static int read_number(batch *self, row *added, const uint8_t *token, uint32_t length, enum number_kind kind)
{
    if (kind == NUMBER_RANK) {
        const int64_t rank = read_rank(token, length);
        added->score = rank > 0 ? -(double)rank : NAN;
    } else {
        const enum decimal_answer answer = read_decimal(token, length, &added->score);
        if (RARE(answer == DECIMAL_HARD)) {
            const hard_number number = {(uint32_t)self->rows.count, length, token};
            if (vector_reserve(&self->hard, 1, sizeof number))
                return -1;
            ((hard_number *)self->hard.items)[self->hard.count++] = number;
            return 0;
        }
        if (RARE(answer == DECIMAL_BAD || (kind == NUMBER_GRADE && fabs(added->score) > HIGHEST_GRADE)))
            added->score = NAN;
    }
    if (RARE(isnan(added->score))) {
        const fault one = {added->line, FAULT_NUMBER, 0, length, token};
        add_fault(&self->faults, one);
    }
    return 0;
}

static int read_with(batch *self, const uint8_t *text, uint32_t size, const layout *form, const vector *bad,
                     int *has_doubts)
{
    row_reader reader = {.width = form->width, .open_end = form->open_end, .bad = bad->items, .faults = &self->faults};
    reader.bad_end = bad->items ? reader.bad + bad->count : NULL;
    scanner_start(&reader.lines, text, size);
    const uint8_t *query = NULL;
    uint32_t query_length = 0;
    const uint32_t *fields;
    int answer;
    while ((answer = next_row(&reader, &fields)) == 1) {
        const uint32_t *at = fields + 2 * form->query;
        const uint32_t length = at[1] - at[0];
        if (length != query_length || !equal_bytes(text + at[0], query, length)) {
            query = text + at[0];
            query_length = length;
            if (begin_block(self, query, length))
                break;
        }
        if (RARE(self->rows.count == self->rows.room) && vector_reserve(&self->rows, 1, sizeof(row)))
            break;
        row *added = (row *)self->rows.items + self->rows.count;
        at = fields + 2 * form->doc;
        added->doc = text + at[0];
        added->length = at[1] - at[0];
        added->line = reader.line;
        at = fields + 2 * form->number;
        if (read_number(self, added, text + at[0], at[1] - at[0], form->kind))
            break;
        self->rows.count++;
    }
    self->line_count = reader.line;
    *has_doubts = reader.lines.has_control || (reader.lines.has_high && !is_utf8(text, size));
    scanner_free(&reader.lines);
    return answer == 0 ? 0 : -1;
}

int batch_read(batch *self, const uint8_t *text, uint32_t size, const layout *form)
{
    vector bad = {NULL, 0, 0};
    int has_doubts;
    self->in_blocks = 1;
    /* a guess at the number of rows spares most copying while they grow; 24 bytes are a short line */
    int answer = vector_reserve(&self->rows, size / 24 + 16, sizeof(row));
    if (answer == 0)
        answer = read_with(self, text, size, form, &bad, &has_doubts);
    if (answer == 0 && has_doubts) { /* once more, with the bad lines known */
        batch_free(self);
        self->in_blocks = 1;
        answer = find_bad_lines(text, size, &bad);
        if (answer == 0)
            answer = read_with(self, text, size, form, &bad, &has_doubts);
    }
    vector_free(&bad);
    return answer;
}

int batch_take(batch *self, const uint8_t *query_text, const int64_t *query_bounds, const uint8_t *doc_text,
               const int64_t *doc_bounds, const double *scores, uint32_t rows)
{
    self->in_blocks = 1;
    self->line_count = rows;
    if (vector_reserve(&self->rows, rows, sizeof(row)))
        return -1;
    const uint8_t *query = NULL;
    uint32_t query_length = 0;
    for (uint32_t i = 0; i < rows; i++) {
        const uint8_t *id = query_text + query_bounds[i];
        const uint32_t length = (uint32_t)(query_bounds[i + 1] - query_bounds[i]);
        if (query == NULL || length != query_length || !equal_bytes(id, query, length)) {
            query = id;
            query_length = length;
            if (begin_block(self, id, length))
                return -1;
        }
        const row added = {doc_text + doc_bounds[i], scores[i], (uint32_t)(doc_bounds[i + 1] - doc_bounds[i]), i + 1};
        ((row *)self->rows.items)[self->rows.count++] = added;
    }
    return 0;
}

void batch_set_score(batch *self, const hard_number *number, enum number_kind kind, double value)
{
    row *one = (row *)self->rows.items + number->row;
    const int is_fine = isfinite(value) && !(kind == NUMBER_GRADE && fabs(value) > HIGHEST_GRADE);
    one->score = is_fine ? value : NAN;
    if (!is_fine) {
        const fault bad = {one->line, FAULT_NUMBER, 0, number->length, number->token};
        add_fault(&self->faults, bad);
    }
}

/* Rows of queries that came back after others are moved together, each query's in the order of the file. */
static int gather_rows(batch *self)
{
    const size_t count = self->rows.count, blocks = self->blocks.count / 2;
    const uint32_t *block = self->blocks.items;
    const row *rows = self->rows.items;
    batch_query *queries = self->queries.items;
    row *moved = malloc(count * sizeof *moved);
    if (moved == NULL)
        return -1;
    uint32_t start = 0;
    for (size_t i = 0; i < self->queries.count; i++) {
        queries[i].start = start;
        start += queries[i].count;
        queries[i].count = 0;
    }
    for (size_t i = 0; i < blocks; i++) {
        batch_query *query = queries + block[2 * i];
        const uint32_t first = block[2 * i + 1];
        const uint32_t length = (i + 1 < blocks ? block[2 * i + 3] : (uint32_t)count) - first;
        row *to = moved + query->start + query->count;
        if (length == 1)
            *to = rows[first];
        else
            memcpy(to, rows + first, length * sizeof *moved);
        query->count += length;
    }
    free(self->rows.items);
    self->rows.items = moved;
    self->rows.room = count;
    return 0;
}

/* Copy all ids, in the order of the rows. */
static int keep_ids(batch *self)
{
    row *rows = self->rows.items;
    batch_query *queries = self->queries.items;
    size_t size = ID_PADDING;
    for (size_t i = 0; i < self->rows.count; i++)
        size += rows[i].length;
    for (size_t i = 0; i < self->queries.count; i++)
        size += queries[i].length;
    self->ids = malloc(size);
    if (self->ids == NULL)
        return -1;
    uint8_t *to = self->ids;
    for (size_t i = 0; i < self->rows.count; i++) {
        copy_id(to, rows[i].doc, rows[i].length);
        rows[i].doc = to;
        to += rows[i].length;
    }
    for (size_t i = 0; i < self->queries.count; i++) {
        copy_id(to, queries[i].id, queries[i].length);
        queries[i].id = to;
        to += queries[i].length;
    }
    memset(to, 0, ID_PADDING);
    return 0;
}

int batch_arrange(batch *self, int keep)
{
    const size_t blocks = self->blocks.count / 2;
    const uint32_t *block = self->blocks.items;
    batch_query *queries = self->queries.items;
    for (size_t i = 0; i < blocks; i++) {
        const uint32_t end = i + 1 < blocks ? block[2 * i + 3] : (uint32_t)self->rows.count;
        queries[block[2 * i]].start = block[2 * i + 1];
        queries[block[2 * i]].count += end - block[2 * i + 1];
    }
    int answer = self->in_blocks ? 0 : gather_rows(self);
    vector_free(&self->blocks);
    vector_free(&self->hard);
    free(self->table);
    self->table = NULL;
    if (answer || !keep)
        return answer;
    if (self->rows.room > self->rows.count + self->rows.count / 8 && self->rows.count) {
        row *fitting = realloc(self->rows.items, self->rows.count * sizeof(row));
        if (fitting) {
            self->rows.items = fitting;
            self->rows.room = self->rows.count;
        }
    }
    return keep_ids(self);
}

void batch_free(batch *self)
{
    vector_free(&self->rows);
    vector_free(&self->queries);
    vector_free(&self->blocks);
    vector_free(&self->hard);
    free(self->table);
    free(self->ids);
    memset(self, 0, sizeof *self);
}
