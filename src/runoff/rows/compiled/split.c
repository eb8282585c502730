/* Any table of text into its fields, and the place where the last query of a text begins. */

#include <string.h>

#include "reader.h"

static int split_with(const uint8_t *text, uint32_t size, uint32_t width, int open_end, const vector *bad,
                      field_table *table, int *has_doubts)
{
    row_reader reader = {.width = width, .open_end = open_end, .bad = bad->items, .faults = &table->faults};
    reader.bad_end = bad->items ? reader.bad + bad->count : NULL;
    scanner_start(&reader.lines, text, size);
    const uint32_t *fields;
    int answer;
    while ((answer = next_row(&reader, &fields)) == 1) {
        if (vector_reserve(&table->starts, width, 8) || vector_reserve(&table->ends, width, 8)
            || vector_add_i64(&table->lines, reader.line)) {
            answer = -1;
            break;
        }
        for (uint32_t i = 0; i < width; i++) {
            ((int64_t *)table->starts.items)[table->starts.count++] = fields[2 * i];
            ((int64_t *)table->ends.items)[table->ends.count++] = fields[2 * i + 1];
        }
    }
    table->line_count = reader.line;
    *has_doubts = reader.lines.has_control || (reader.lines.has_high && !is_utf8(text, size));
    scanner_free(&reader.lines);
    return answer;
}

int split_fields(const uint8_t *text, uint32_t size, uint32_t width, int open_end, field_table *table)
{
    vector bad = {NULL, 0, 0};
    int has_doubts;
    int answer = split_with(text, size, width, open_end, &bad, table, &has_doubts);
    if (answer == 0 && has_doubts) { /* once more, with the bad lines known */
        field_table_free(table);
        answer = find_bad_lines(text, size, &bad);
        if (answer == 0)
            answer = split_with(text, size, width, open_end, &bad, table, &has_doubts);
    }
    vector_free(&bad);
    return answer;
}

void field_table_free(field_table *self)
{
    vector_free(&self->starts);
    vector_free(&self->ends);
    vector_free(&self->lines);
    memset(&self->faults, 0, sizeof self->faults);
}

/* Where the line that ends before `end` begins. */
static uint32_t line_start(const uint8_t *text, uint32_t end)
{
    while (end > 0 && text[end - 1] != 10)
        end--;
    return end;
}

/* The field of a column between two positions; its length is 0 if there is none, or the line is a comment. */
static uint32_t field_at(const uint8_t *text, uint32_t begin, uint32_t end, uint32_t column, const uint8_t **field)
{
    for (uint32_t at = begin, number = 0;; number++) {
        while (at < end && text[at] <= 0x20)
            at++;
        if (at == end || (number == 0 && text[at] == '#'))
            return 0;
        const uint32_t start = at;
        while (at < end && text[at] > 0x20)
            at++;
        if (number == column) {
            *field = text + start;
            return at - start;
        }
    }
}

uint32_t block_start(const uint8_t *text, uint32_t size, uint32_t query_column)
{
    const uint8_t *query = NULL;
    uint32_t length = 0, start = size;
    for (uint32_t end = size; end > 0;) {
        const uint32_t begin = line_start(text, end - 1);
        const uint8_t *field = NULL;
        const uint32_t found = field_at(text, begin, end, query_column, &field);
        if (found) {
            if (query == NULL) {
                query = field;
                length = found;
            } else if (found != length || memcmp(field, query, length)) {
                return start;
            }
            start = begin;
        }
        end = begin;
    }
    return 0;
}
