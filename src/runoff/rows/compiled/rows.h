/* The rows of runs and labels: split from text, grouped by query, ranked, matched with judgments.

   This part knows nothing of Python. A function that can run out of memory returns 0 on success and -1 then. Positions
   within one text, and rows within one batch, fit into 32 bits; whoever calls has checked this. */

#ifndef RUNOFF_ROWS_H
#define RUNOFF_ROWS_H

#include <stddef.h>
#include <stdint.h>

#define PADDING 64      /* readable bytes behind every text that is scanned */
#define ID_PADDING 8    /* readable bytes behind every column of ids */
#define MOST_FAULTS 20  /* faults and repeated documents that are described; all are counted */
#define MOST_TOKEN 256  /* bytes of a token that a fault quotes */
#define MOST_TEXT 0xFFFFFF00u

/* A growing array of items of one size. */
typedef struct {
    void *items;
    size_t count, room;
} vector;

/* Room for some more items, which the caller fills and counts. */
int vector_reserve(vector *self, size_t more, size_t item_size);
int vector_add_i64(vector *self, int64_t value);
int vector_add_bytes(vector *self, const uint8_t *bytes, size_t length);
void vector_free(vector *self);

enum fault_kind { FAULT_CONTROL = 1, FAULT_NOT_UTF8 = 2, FAULT_WIDTH = 3, FAULT_NUMBER = 4 };

typedef struct {
    uint32_t line; /* from 1 */
    uint32_t kind;
    uint32_t value;        /* the control character, or the number of fields */
    uint32_t token_length; /* of `token`, at most MOST_TOKEN */
    const uint8_t *token;  /* in the text */
} fault;

typedef struct {
    fault first[MOST_FAULTS]; /* by line */
    size_t kept, total;
} fault_list;

/* A line that cannot be used whatever its fields are. */
typedef struct {
    uint32_t line, kind, value;
} bad_line;

/* Lines into fields, a few kilobytes at a time. */
typedef struct {
    const uint8_t *text;
    uint32_t size;
    uint32_t done;        /* what was looked at; a multiple of 64, or the end */
    uint64_t was_blank;   /* whether the byte before was blank, 0 or 1 */
    uint32_t *edges;      /* where fields begin and end, in turn, then two numbers that are beyond every position */
    size_t edge_count, edge_room, edge;
    uint32_t *newlines;
    size_t newline_count, newline_room, newline;
    int has_high;         /* a byte beyond ASCII was seen */
    int has_control;      /* a control character was seen that no text has */
} scanner;

void scanner_start(scanner *self, const uint8_t *text, uint32_t size);
/* Look at more of the text until a line ends; 1: it does; 0: there is no other line; -1: no memory. */
int scanner_go_on(scanner *self);
/* The end of the next line, whose fields are at edges[edge] and behind; the answer as above. */
static inline int scanner_next_line(scanner *self, uint32_t *end)
{
    if (self->newline == self->newline_count) {
        const int is_there = scanner_go_on(self);
        if (is_there != 1)
            return is_there;
    }
    *end = self->newlines[self->newline++];
    return 1;
}
/* How many fields the line that ends there has. */
uint32_t scanner_count_fields(const scanner *self, uint32_t end);
/* Pass over the fields of a line; `fields` is how many it has at least. */
void scanner_skip_line(scanner *self, uint32_t end, uint32_t fields);
void scanner_free(scanner *self);

/* Whether a text is UTF-8 as Python reads it. */
int is_utf8(const uint8_t *text, size_t size);
/* The lines that have control characters or are not UTF-8, in order, as bad_line items. */
int find_bad_lines(const uint8_t *text, uint32_t size, vector *lines);
void add_fault(fault_list *self, fault one);

/* All rows of a text as positions of their fields. */
typedef struct {
    vector starts, ends; /* int64, rows x width */
    vector lines;        /* int64, rows */
    uint32_t line_count;
    fault_list faults;
} field_table;

int split_fields(const uint8_t *text, uint32_t size, uint32_t width, int open_end, field_table *table);
void field_table_free(field_table *self);
uint32_t block_start(const uint8_t *text, uint32_t size, uint32_t query_column);

/* A score is any finite number; a rank a whole number from 1, kept as minus itself; a grade a number of a limited size. */
enum number_kind { NUMBER_SCORE = 0, NUMBER_RANK = 1, NUMBER_GRADE = 2 };
#define HIGHEST_GRADE 127

typedef struct {
    uint32_t width;
    int open_end;
    uint32_t query, doc, number; /* columns */
    enum number_kind kind;
} layout;

typedef struct {
    const uint8_t *doc;
    double score;
    uint32_t length; /* of the document's id */
    uint32_t line;
} row;

typedef struct {
    const uint8_t *id;
    uint64_t hash;
    uint64_t prefix; /* the first eight bytes of the id: most ids are known by it, without a look at the text */
    uint32_t length;
    uint32_t start, count; /* its rows */
} batch_query;

/* A number that needs the exact way: the row it belongs to and its token. */
typedef struct {
    uint32_t row;
    uint32_t length;
    const uint8_t *token;
} hard_number;

/* Rows that were read together, those of a query one behind the other, in the order of the file. */
typedef struct {
    vector rows;    /* row */
    vector queries; /* batch_query, by first appearance */
    vector blocks;  /* uint32 pairs: query, first row; while it is filled */
    vector hard;    /* hard_number; while it is filled */
    uint32_t *table; /* places of queries + 1, by hash */
    size_t table_size;
    uint8_t *ids; /* copies of the ids, or NULL where they are in a text that is kept */
    uint32_t line_count;
    int in_blocks; /* no query came back after another one */
    fault_list faults;
} batch;

/* Rows of a text; numbers that are hard are listed in `hard` and wait for batch_set_score. */
int batch_read(batch *self, const uint8_t *text, uint32_t size, const layout *form);
/* Rows of columns: id i is text[bounds[i]] to text[bounds[i + 1]]. */
int batch_take(batch *self, const uint8_t *query_text, const int64_t *query_bounds, const uint8_t *doc_text,
               const int64_t *doc_bounds, const double *scores, uint32_t rows);
/* The exact value of a hard number; a fault if it cannot be one of its kind. */
void batch_set_score(batch *self, const hard_number *number, enum number_kind kind, double value);
/* Group the rows by query; with `keep` copy the ids, so that the text may go. */
int batch_arrange(batch *self, int keep);
void batch_free(batch *self);

/* Judged documents, by query. */
typedef struct {
    const uint8_t *query_text, *doc_text;
    const int64_t *query_bounds, *doc_bounds, *row_query;
    size_t queries, rows;
    uint32_t *query_table; /* places of queries + 1, by hash */
    size_t query_table_size;
    uint64_t *slots;    /* high half: from the hash; low half: row + 1 */
    size_t *slot_start; /* queries + 1: where the slots of a query begin; a power of two of them, or none */
    int64_t repeated, repeats; /* a row whose query and document came before, and that earlier row; -1: none */
} judged;

int judged_build(judged *self);
int64_t judged_place(const judged *self, const uint8_t *id, size_t length, uint64_t hash);
/* How many slots the judged documents of a query have; none if there are no such. */
static inline size_t judged_slot_count(const judged *self, int64_t place)
{
    return place < 0 ? 0 : self->slot_start[place + 1] - self->slot_start[place];
}
int64_t judged_row(const judged *self, int64_t place, const uint8_t *doc, size_t length, uint64_t hash);
void judged_free(judged *self);

/* Unranked: all rows in the order of the file. */
enum tie_rule { TIES_TREC_EVAL = 0, TIES_FLOAT32 = 1, TIES_FILE = 2, TIES_DOC_ASCENDING = 3, TIES_UNRANKED = 4 };
enum duplicate_rule { DUPLICATES_ERROR = 0, DUPLICATES_FIRST = 1, DUPLICATES_BEST = 2 };

typedef struct {
    uint32_t batch, query; /* the query's place in the batch */
} segment;

typedef struct {
    const uint8_t *id;
    uint64_t hash;
    uint32_t length;
    size_t rows;
    size_t first_segment, segments;
} ranked_query;

/* The rows of some batches as one file, by query. */
typedef struct {
    const batch **batches;
    size_t batch_count;
    vector queries;   /* ranked_query, by first appearance */
    segment *segments;
    size_t rows;
} query_lists;

int lists_build(query_lists *self);
void lists_free(query_lists *self);

typedef struct {
    size_t first, last; /* queries */
    const judged **tables;
    size_t table_count;
    int64_t depth; /* -1: none */
    int64_t top;   /* -1: all */
    enum tie_rule ties;
    enum duplicate_rule duplicates;
} rank_request;

typedef struct {
    uint32_t batch, line, first_batch, first_line;
    size_t query; /* place among the lists */
    const uint8_t *doc;
    uint32_t length;
} repeated_row;

typedef struct {
    vector places, list, rank, row; /* int64 */
} judged_hits;

typedef struct {
    vector lengths; /* int64 */
    vector tied;    /* uint8 */
    vector docs;    /* uint8, with ID_PADDING zeros before and PADDING behind */
    vector bounds;  /* int64 */
    vector scores;  /* double */
    judged_hits *hits;
    size_t table_count;
    repeated_row repeated[MOST_FAULTS];
    size_t repeated_kept, repeated_total, dropped;
} rank_result;

int lists_rank(const query_lists *self, const rank_request *request, rank_result *result);
void rank_result_free(rank_result *self);

#endif
