/* Drives the reader with any bytes, for libFuzzer or for replay.c: everything that Python calls, in the same order.

   The first bytes choose layout, cuts between batches, tie rule, and which allocation fails; the rest is text. Every
   text is allocated exactly, with its padding, so that AddressSanitizer sees a read behind it. */

#include "fuzz.h"

#include <string.h>

#include "bytes.h"

#define MOST_BATCHES 5

static const layout LAYOUTS[] = {
    {6, 1, 0, 2, 4, NUMBER_SCORE}, {6, 1, 0, 2, 3, NUMBER_RANK}, {3, 0, 0, 1, 2, NUMBER_SCORE},
    {3, 0, 0, 1, 2, NUMBER_RANK},  {4, 0, 0, 2, 3, NUMBER_GRADE}, {1, 1, 0, 0, 0, NUMBER_SCORE},
    {2, 1, 1, 0, 1, NUMBER_GRADE}, {40, 1, 39, 0, 20, NUMBER_SCORE},
};
static const char *const PADDINGS[] = {"", "9", " ", "\xff", "q\n"};
static const int64_t DEPTHS[] = {-1, 0, 1, 2, 5, 1000};

typedef struct {
    const uint8_t *header;
    layout form;
    uint8_t *texts[MOST_BATCHES];
    uint32_t sizes[MOST_BATCHES];
    size_t text_count;
    batch batches[MOST_BATCHES];
    const batch *listed[MOST_BATCHES];
    size_t batch_count;
    int64_t *query_bounds, *doc_bounds; /* of the batch of columns */
    double *scores;
} trial;

/* Memory for the trial itself, which never runs out. */
static void *own(size_t size)
{
    void *memory = malloc(size ? size : 1);
    HOLDS(memory != NULL);
    return memory;
}

/* Whole lines with padding behind them, of a content that must not matter. */
static void add_text(trial *self, const uint8_t *bytes, size_t size)
{
    const char *pattern = PADDINGS[self->header[10] % 5];
    const size_t period = strlen(pattern);
    const int is_cut = size && bytes[size - 1] != 10;
    uint8_t *text = own(size + (size_t)is_cut + PADDING);
    memcpy(text, bytes, size);
    if (is_cut)
        text[size++] = 10;
    for (size_t i = 0; i < PADDING; i++)
        text[size + i] = period ? (uint8_t)pattern[i % period] : 0;
    self->texts[self->text_count] = text;
    self->sizes[self->text_count++] = (uint32_t)size;
}

/* The text, cut between lines at up to three places. */
static void cut_texts(trial *self, const uint8_t *text, size_t size)
{
    size_t begin = 0;
    for (int cut = 0; cut < self->header[6] % 4; cut++) {
        size_t end = size * self->header[7 + cut] / 256;
        while (end < size && (end == 0 || text[end - 1] != 10))
            end++;
        if (end < begin)
            continue;
        add_text(self, text + begin, end - begin);
        begin = end;
    }
    add_text(self, text + begin, size - begin);
}

/* A number that is hard, in the C library's exact way. */
static double exact(const hard_number *number)
{
    char *copy = own((size_t)number->length + 1);
    memcpy(copy, number->token, number->length);
    copy[number->length] = 0;
    const double value = strtod(copy, NULL);
    free(copy);
    return value;
}

/* Read one text as fields and as rows; the two must agree. */
static int read_text(trial *self, size_t number, batch *read)
{
    const sample from = {self->texts[number], self->sizes[number], &self->form};
    field_table table = {0}, first_fields = {0};
    int failed = split_fields(from.text, from.size, self->form.width, self->form.open_end, &table);
    failed = failed || split_fields(from.text, from.size, 1, 1, &first_fields);
    if (!failed) {
        check_fields(&from, &table);
        check_block_start(&from, &first_fields);
        failed = batch_read(read, from.text, from.size, &self->form);
    }
    if (!failed) {
        const hard_number *hard = read->hard.items;
        for (size_t i = 0; i < read->hard.count; i++)
            batch_set_score(read, hard + i, self->form.kind, exact(hard + i));
        check_rows(&from, &table, read);
        failed = batch_arrange(read, self->header[1] & 1);
        if (!failed)
            check_arranged(read, table.lines.count);
    }
    field_table_free(&table);
    field_table_free(&first_fields);
    return failed;
}

/* A batch of columns whose ids are any bytes of the text. */
static int take_columns(trial *self, batch *taken)
{
    const uint8_t *text = self->texts[0];
    const size_t size = self->sizes[0] + PADDING - ID_PADDING;
    const size_t rows = size < 48 ? size : 48;
    self->query_bounds = own((rows + 1) * sizeof(int64_t));
    self->doc_bounds = own((rows + 1) * sizeof(int64_t));
    self->scores = own(rows * sizeof(double));
    size_t query = 0, doc = 0;
    for (size_t i = 0; i <= rows; i++) {
        self->query_bounds[i] = (int64_t)query;
        self->doc_bounds[i] = (int64_t)doc;
        query += query + 1 < size ? text[i] % 3 % 2 : 0;
        doc += doc + 20 < size ? text[i] % 20 : 0;
        if (i < rows)
            memcpy(self->scores + i, text + i, 8); /* any bits are a double */
    }
    return batch_take(taken, text, self->query_bounds, text, self->doc_bounds, self->scores, (uint32_t)rows)
           || batch_arrange(taken, 0);
}

/* Judgments of some rows of a batch; a document that is listed twice may be judged twice. */
static void judge(const batch *from, judged *table, unsigned share)
{
    const row *rows = from->rows.items;
    const batch_query *queries = from->queries.items;
    const size_t most = from->rows.count;
    size_t doc_size = 0, query_size = 0;
    for (size_t i = 0; i < most; i++)
        doc_size += rows[i].length;
    for (size_t i = 0; i < from->queries.count; i++)
        query_size += queries[i].length;
    uint8_t *query_text = own(query_size + ID_PADDING), *doc_text = own(doc_size + ID_PADDING);
    int64_t *query_bounds = own((from->queries.count + 1) * 8), *doc_bounds = own((most + 1) * 8);
    int64_t *row_query = own(most * 8);
    query_bounds[0] = doc_bounds[0] = 0;
    for (size_t i = 0; i < from->queries.count; i++) {
        memcpy(query_text + query_bounds[i], queries[i].id, queries[i].length);
        query_bounds[i + 1] = query_bounds[i] + queries[i].length;
        for (size_t place = queries[i].start; place < queries[i].start + queries[i].count; place++) {
            if ((place + share) % 3 == 0)
                continue;
            memcpy(doc_text + doc_bounds[table->rows], rows[place].doc, rows[place].length);
            row_query[table->rows] = (int64_t)i;
            doc_bounds[table->rows + 1] = doc_bounds[table->rows] + rows[place].length;
            table->rows++;
        }
    }
    memset(query_text + query_size, 0xA5, ID_PADDING);
    memset(doc_text + doc_bounds[table->rows], 0xA5, ID_PADDING);
    table->query_text = query_text;
    table->query_bounds = query_bounds;
    table->doc_text = doc_text;
    table->doc_bounds = doc_bounds;
    table->row_query = row_query;
    table->queries = from->queries.count;
}

static void forget(judged *table)
{
    free((void *)table->query_text);
    free((void *)table->query_bounds);
    free((void *)table->doc_text);
    free((void *)table->doc_bounds);
    free((void *)table->row_query);
    judged_free(table);
}

static void free_texts(trial *self)
{
    for (size_t i = 0; i < self->text_count; i++)
        free(self->texts[i]);
    self->text_count = 0;
}

static void rank_all(trial *self)
{
    if ((self->header[1] & 3) == 1) /* ids are kept, and no columns need the text */
        free_texts(self);
    query_lists lists = {.batches = self->listed, .batch_count = self->batch_count};
    judged tables[2] = {{0}, {0}};
    const judged *asked[2] = {&tables[0], &tables[1]};
    const uint8_t *header = self->header;
    judge(self->listed[0], &tables[0], header[13]);
    judge(self->listed[self->batch_count - 1], &tables[1], header[13] + 1u);
    if (lists_build(&lists) == 0 && judged_build(&tables[0]) == 0 && judged_build(&tables[1]) == 0) {
        check_lists(&lists);
        check_judged(&tables[0]);
        const size_t first = lists.queries.count * (header[14] % 4) / 8;
        const rank_request request = {first, lists.queries.count, asked, 2, DEPTHS[header[4] % 6], DEPTHS[header[5] % 6],
                                      (enum tie_rule)(header[2] % 5), (enum duplicate_rule)(header[3] % 3)};
        rank_result result = {0};
        if (lists_rank(&lists, &request, &result) == 0)
            check_ranked(&lists, &request, &result);
        else
            HOLDS(has_failed_allocation());
        rank_result_free(&result);
    } else {
        HOLDS(has_failed_allocation());
    }
    forget(&tables[0]);
    forget(&tables[1]);
    lists_free(&lists);
}

/* The secret of the hashes: the usual one, or one under which all ids of a length up to 8 collide. */
static void choose_secret(uint8_t length)
{
    hash_secret[2] = 0xA4093822299F31D0u;
    if (length % 16 > 0 && length % 16 < 9)
        hash_secret[2] = hash_secret[0] ^ length % 16 * 0x9E3779B97F4A7C15u;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEADER)
        return 0;
    trial self = {.header = data, .form = LAYOUTS[data[0] % 8]};
    choose_secret(data[12]);
    fail_allocation(data[FAILING] < 64 ? 0 : data[FAILING] % 64 + 1, data[FAILING] >= 128);
    cut_texts(&self, data + HEADER, size - HEADER);
    check_decimal(self.texts[0], self.sizes[0] < data[15] ? self.sizes[0] : data[15]);
    int failed = 0;
    for (size_t i = 0; i < self.text_count && !failed; i++) {
        failed = read_text(&self, i, &self.batches[i]);
        self.listed[i] = &self.batches[i];
        self.batch_count++;
    }
    if (!failed && data[1] & 2) {
        self.listed[self.batch_count] = &self.batches[self.batch_count];
        failed = take_columns(&self, &self.batches[self.batch_count]);
        self.batch_count++;
    }
    if (failed)
        HOLDS(has_failed_allocation());
    else
        rank_all(&self);
    fail_allocation(0, 0);
    for (size_t i = 0; i < self.batch_count; i++)
        batch_free(&self.batches[i]);
    free_texts(&self);
    free(self.query_bounds);
    free(self.doc_bounds);
    free(self.scores);
    return 0;
}
