/* Laws of what is read from text: fields, rows, blocks, batches. */

#include "fuzz.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "decimal.h"

static void check_faults(const fault_list *faults, uint32_t line_count)
{
    HOLDS(faults->kept == (faults->total < MOST_FAULTS ? faults->total : MOST_FAULTS));
    for (size_t i = 0; i < faults->kept; i++) {
        HOLDS(faults->first[i].line >= 1 && faults->first[i].line <= line_count);
        HOLDS(i == 0 || faults->first[i - 1].line <= faults->first[i].line);
        HOLDS(faults->first[i].token_length <= MOST_TOKEN);
    }
}

static uint32_t count_lines(const uint8_t *text, uint32_t size)
{
    uint32_t lines = 0;
    for (uint32_t i = 0; i < size; i++)
        lines += text[i] == 10;
    return lines;
}

void check_fields(const sample *from, const field_table *table)
{
    const int64_t *starts = table->starts.items, *ends = table->ends.items, *lines = table->lines.items;
    const size_t width = from->form->width, rows = table->lines.count;
    HOLDS(table->starts.count == rows * width && table->ends.count == rows * width);
    HOLDS(table->line_count == count_lines(from->text, from->size));
    HOLDS(rows + table->faults.total <= table->line_count);
    check_faults(&table->faults, table->line_count);
    int64_t at = 0, line = 1;
    for (size_t i = 0; i < rows * width; i++) {
        HOLDS(starts[i] >= at && starts[i] < ends[i] && ends[i] < from->size);
        for (; at < starts[i]; at++)
            line += from->text[at] == 10;
        HOLDS(lines[i / width] == line);
        HOLDS(starts[i] == 0 || from->text[starts[i] - 1] <= 0x20);
        for (; at < ends[i]; at++)
            HOLDS(from->text[at] > 0x20);
        HOLDS(from->text[at] <= 0x20);
    }
}

/* What the C library makes of a token: a decimal number that is finite, or nothing. */
static double expected_score(const uint8_t *token, size_t length)
{
    char *copy = malloc(length + 1), *end;
    memcpy(copy, token, length);
    copy[length] = 0;
    int is_decimal = length > 0;
    for (size_t i = 0; i < length; i++)
        is_decimal &= isdigit(token[i]) || (token[i] && strchr("+-.eE", token[i]));
    const double value = strtod(copy, &end);
    is_decimal &= end == copy + length && isfinite(value);
    free(copy);
    return is_decimal ? value : NAN;
}

static void check_number(const uint8_t *token, size_t length, enum number_kind kind, double score)
{
    const double expected = expected_score(token, length);
    if (kind == NUMBER_RANK) {
        HOLDS(isnan(score) || score == -expected);
        HOLDS(isnan(score) || (score <= -1 && score == floor(score)));
    } else if (isnan(expected) || (kind == NUMBER_GRADE && fabs(expected) > HIGHEST_GRADE)) {
        HOLDS(isnan(score));
    } else {
        HOLDS(memcmp(&score, &expected, sizeof score) == 0);
    }
}

void check_decimal(const uint8_t *token, size_t length)
{
    double value = NAN;
    const enum decimal_answer answer = read_decimal(token, length, &value);
    if (answer == DECIMAL_READ)
        check_number(token, length, NUMBER_SCORE, value);
    else
        HOLDS(answer == DECIMAL_HARD || isnan(expected_score(token, length)));
}

void check_rows(const sample *from, const field_table *table, const batch *read)
{
    const int64_t *starts = table->starts.items, *ends = table->ends.items, *lines = table->lines.items;
    const row *rows = read->rows.items;
    size_t missing = 0;
    HOLDS(read->rows.count == table->lines.count);
    HOLDS(read->line_count == table->line_count);
    for (size_t i = 0; i < read->rows.count; i++) {
        const size_t doc = i * from->form->width + from->form->doc, number = i * from->form->width + from->form->number;
        HOLDS(rows[i].doc == from->text + starts[doc] && rows[i].length == ends[doc] - starts[doc]);
        HOLDS(rows[i].line == lines[i]);
        check_number(from->text + starts[number], (size_t)(ends[number] - starts[number]), from->form->kind,
                     rows[i].score);
        missing += isnan(rows[i].score) != 0;
    }
    HOLDS(read->faults.total == table->faults.total + missing);
    check_faults(&read->faults, read->line_count);
}

void check_block_start(const sample *from, const field_table *all_fields)
{
    const int64_t *starts = all_fields->starts.items, *ends = all_fields->ends.items;
    const int64_t *lines = all_fields->lines.items;
    const uint32_t other = block_start(from->text, from->size, from->form->query);
    HOLDS(other == 0 || (other <= from->size && from->text[other - 1] == 10));
    const uint32_t cut = block_start(from->text, from->size, 0);
    HOLDS(cut == 0 || (cut <= from->size && from->text[cut - 1] == 10));
    for (size_t i = 1; i < all_fields->lines.count; i++) {
        const int64_t length = ends[i] - starts[i];
        const int is_same = lines[i - 1] + 1 == lines[i] && ends[i - 1] - starts[i - 1] == length
                            && memcmp(from->text + starts[i - 1], from->text + starts[i], (size_t)length) == 0;
        HOLDS(!is_same || cut <= starts[i - 1] || cut > starts[i]);
    }
}

void check_arranged(const batch *arranged, size_t rows)
{
    const batch_query *queries = arranged->queries.items;
    const row *all = arranged->rows.items;
    size_t next = 0;
    HOLDS(arranged->rows.count == rows);
    for (size_t i = 0; i < arranged->queries.count; i++) {
        HOLDS(queries[i].start == next && queries[i].count > 0);
        next += queries[i].count;
        for (size_t place = queries[i].start + 1; place < next; place++)
            HOLDS(all[place - 1].line < all[place].line);
        for (size_t other = 0; other < i && i < 64; other++)
            HOLDS(queries[other].length != queries[i].length
                  || memcmp(queries[other].id, queries[i].id, queries[i].length));
    }
    HOLDS(next == rows);
}
