/* One list after the other: duplicates found, rows ranked, judged documents matched, the top copied out. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "rows.h"
#include "sort.h"

/* What a list needs while it is ranked; used again for the next one. */
typedef struct {
    size_t room;
    row *rows;         /* a copy, where the rows of the list are in several batches or some are dropped */
    uint64_t *hashes;
    uint32_t *order;   /* the row at every rank */
    uint8_t *is_dropped;
    sort_item *items, *spare;
    uint64_t *slots;   /* high half: from the hash; low half: row + 1 */
    size_t slot_room;
} workspace;

static void workspace_free(workspace *self)
{
    free(self->rows);
    free(self->hashes);
    free(self->order);
    free(self->is_dropped);
    free(self->items);
    free(self->spare);
    free(self->slots);
    memset(self, 0, sizeof *self);
}

static int workspace_reserve(workspace *self, size_t rows)
{
    if (rows <= self->room)
        return 0;
    workspace_free(self);
    const size_t room = rows + rows / 2;
    size_t slots = 64;
    while (slots < 2 * room)
        slots *= 2;
    self->rows = malloc(room * sizeof *self->rows);
    self->hashes = malloc(room * sizeof *self->hashes);
    self->order = malloc(room * sizeof *self->order);
    self->is_dropped = malloc(room);
    self->items = malloc(room * sizeof *self->items);
    self->spare = malloc(room * sizeof *self->spare);
    self->slots = malloc(slots * sizeof *self->slots);
    if (!self->rows || !self->hashes || !self->order || !self->is_dropped || !self->items || !self->spare
        || !self->slots)
        return -1;
    self->room = room;
    self->slot_room = slots;
    return 0;
}

/* A score as the tie rule compares it. */
static inline double compared(double score, enum tie_rule ties)
{
    return ties == TIES_FLOAT32 ? (double)(float)score : score;
}

/* A number that is higher for a higher score; 0 for one that is missing. */
static inline uint64_t score_key(double score, enum tie_rule ties)
{
    if (isnan(score))
        return 0;
    const double value = compared(score, ties) + 0.0; /* -0.0 becomes 0.0 */
    uint64_t bits;
    memcpy(&bits, &value, 8);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

/* The batch and line of a row of a list. */
static void locate(const query_lists *self, const ranked_query *query, size_t place, uint32_t *number, uint32_t *line)
{
    for (size_t i = 0;; i++) {
        const segment *one = self->segments + query->first_segment + i;
        const batch_query *part = (const batch_query *)self->batches[one->batch]->queries.items + one->query;
        if (place < part->count) {
            *number = one->batch;
            *line = ((const row *)self->batches[one->batch]->rows.items)[part->start + place].line;
            return;
        }
        place -= part->count;
    }
}

/* Describe a document that comes twice, if it is among the first; 0 if it is not, and so is none behind it in its list. */
static int note_repeated(const query_lists *self, rank_result *result, size_t query, size_t again, size_t first,
                         const row *rows)
{
    const ranked_query *one = (const ranked_query *)self->queries.items + query;
    repeated_row noted = {.query = query, .doc = rows[again].doc, .length = rows[again].length};
    locate(self, one, again, &noted.batch, &noted.line);
    size_t place = result->repeated_kept;
    while (place > 0) {
        const repeated_row *before = &result->repeated[place - 1];
        if (before->batch < noted.batch || (before->batch == noted.batch && before->line < noted.line))
            break;
        place--;
    }
    if (place == MOST_FAULTS)
        return 0;
    locate(self, one, first, &noted.first_batch, &noted.first_line);
    if (result->repeated_kept < MOST_FAULTS)
        result->repeated_kept++;
    for (size_t at = result->repeated_kept - 1; at > place; at--)
        result->repeated[at] = result->repeated[at - 1];
    result->repeated[place] = noted;
    return 1;
}

/* Find documents that come twice; 1 if some were marked as dropped. */
static int find_duplicates(const query_lists *self, const rank_request *request, workspace *space, const row *rows,
                           size_t count, size_t query, rank_result *result)
{
    size_t size = 64;
    while (size < 2 * count)
        size *= 2;
    const size_t mask = size - 1;
    uint64_t *slots = space->slots;
    memset(slots, 0, size * sizeof *slots);
    int has_dropped = 0, is_noted = 1;
    for (size_t i = 0; i < count; i++) {
        const uint64_t hash = hash_bytes(rows[i].doc, rows[i].length);
        const uint64_t tag = hash & 0xFFFFFFFF00000000u;
        space->hashes[i] = hash;
        size_t slot = (size_t)hash & mask;
        while (slots[slot]) {
            if (RARE((slots[slot] & 0xFFFFFFFF00000000u) == tag)) {
                const size_t other = (size_t)(slots[slot] & UINT32_MAX) - 1;
                if (rows[other].length == rows[i].length && equal_bytes(rows[other].doc, rows[i].doc, rows[i].length))
                    break;
            }
            slot = (slot + 1) & mask;
        }
        if (!slots[slot]) {
            slots[slot] = tag | (i + 1);
            continue;
        }
        const size_t first = (size_t)(slots[slot] & UINT32_MAX) - 1;
        if (request->duplicates == DUPLICATES_ERROR) {
            /* finding its line takes a step per batch: only for the few that are described */
            is_noted = is_noted && note_repeated(self, result, query, i, first, rows);
            result->repeated_total++;
            continue;
        }
        if (!has_dropped)
            memset(space->is_dropped, 0, count);
        has_dropped = 1;
        result->dropped++;
        if (request->duplicates == DUPLICATES_BEST
            && score_key(rows[i].score, request->ties) > score_key(rows[first].score, request->ties)) {
            space->is_dropped[first] = 1;
            slots[slot] = tag | (i + 1);
        } else {
            space->is_dropped[i] = 1;
        }
    }
    return has_dropped;
}

/* The rows of a list that stay, in the order of the file. */
static size_t without_dropped(workspace *space, const row *rows, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!space->is_dropped[i]) {
            space->rows[kept] = rows[i];
            space->hashes[kept++] = space->hashes[i];
        }
    return kept;
}

enum list_order { IN_ORDER, HAS_TIES, NO_ORDER };

/* Whether scores descend already, and whether some are equal. */
static enum list_order order_of(const row *rows, size_t count, enum tie_rule ties)
{
    int has_ties = 0;
    double before = count ? compared(rows[0].score, ties) : 0;
    if (isnan(before))
        return NO_ORDER;
    for (size_t i = 1; i < count; i++) {
        const double score = compared(rows[i].score, ties);
        if (!(score <= before)) /* also where one is not a number */
            return NO_ORDER;
        has_ties |= score == before;
        before = score;
    }
    return has_ties ? HAS_TIES : IN_ORDER;
}

/* Put the ranks `begin` to `end`, which have one score, into the order of their documents. */
static void break_tie(workspace *space, const row *rows, size_t begin, size_t end, int ascending)
{
    const size_t count = end - begin;
    for (size_t i = 0; i < count; i++) {
        const uint32_t at = space->order[begin + i];
        const uint64_t prefix = sort_prefix(rows[at].doc, rows[at].length);
        const sort_item item = {ascending ? ~prefix : prefix, at};
        space->items[i] = item;
    }
    const sort_item *sorted = sort_items(space->items, space->spare, count, rows, ascending);
    for (size_t i = 0; i < count; i++)
        space->order[begin + i] = sorted[i].index;
}

/* The rank order of a list; 0 if it is that of its rows. */
static int rank_rows(workspace *space, const row *rows, size_t count, enum tie_rule ties)
{
    const enum list_order order = ties == TIES_UNRANKED ? IN_ORDER : order_of(rows, count, ties);
    if (order == IN_ORDER || (order == HAS_TIES && ties == TIES_FILE))
        return 0;
    if (order == NO_ORDER) {
        for (size_t i = 0; i < count; i++) {
            const sort_item item = {score_key(rows[i].score, ties), (uint32_t)i};
            space->items[i] = item;
        }
        const sort_item *sorted = sort_items(space->items, space->spare, count, NULL, 0);
        for (size_t i = 0; i < count; i++)
            space->order[i] = sorted[i].index;
    } else {
        for (size_t i = 0; i < count; i++)
            space->order[i] = (uint32_t)i;
    }
    if (ties == TIES_FILE)
        return 1;
    for (size_t begin = 0; begin < count;) {
        const uint64_t key = score_key(rows[space->order[begin]].score, ties);
        size_t end = begin + 1;
        while (end < count && score_key(rows[space->order[end]].score, ties) == key)
            end++;
        if (end - begin > 1 && key)
            break_tie(space, rows, begin, end, ties == TIES_DOC_ASCENDING);
        begin = end;
    }
    return 1;
}

/* Add the judged documents of a list, by rank. */
static int add_hits(const judged *table, judged_hits *hits, const ranked_query *query, size_t list, workspace *space,
                    const row *rows, size_t count, int is_moved)
{
    const int64_t place = judged_place(table, query->id, query->length, query->hash);
    if (vector_add_i64(&hits->places, place))
        return -1;
    if (place < 0 || table->slot_start[place] == table->slot_start[place + 1])
        return 0;
    for (size_t rank = 0; rank < count; rank++) {
        const size_t at = is_moved ? space->order[rank] : rank;
        const int64_t found = judged_row(table, place, rows[at].doc, rows[at].length, space->hashes[at]);
        if (found >= 0
            && (vector_add_i64(&hits->list, (int64_t)list) || vector_add_i64(&hits->rank, (int64_t)rank)
                || vector_add_i64(&hits->row, found)))
            return -1;
    }
    return 0;
}

/* Add the documents of a list to a rank. */
static int add_top(rank_result *result, const workspace *space, const row *rows, size_t top, int is_moved)
{
    if (vector_reserve(&result->scores, top, sizeof(double)) || vector_reserve(&result->bounds, top, sizeof(int64_t)))
        return -1;
    for (size_t rank = 0; rank < top; rank++) {
        const row *one = rows + (is_moved ? space->order[rank] : rank);
        if (vector_add_bytes(&result->docs, one->doc, one->length)
            || vector_add_i64(&result->bounds, (int64_t)(result->docs.count - ID_PADDING)))
            return -1;
        ((double *)result->scores.items)[result->scores.count++] = one->score;
    }
    return 0;
}

static int rank_list(const query_lists *self, const rank_request *request, size_t place, workspace *space,
                     rank_result *result)
{
    const ranked_query *query = (const ranked_query *)self->queries.items + place;
    size_t count = query->rows;
    if (count >= UINT32_MAX || workspace_reserve(space, count))
        return -1;
    const row *rows = space->rows;
    for (size_t i = 0, done = 0; i < query->segments; i++) {
        const segment *one = self->segments + query->first_segment + i;
        const batch_query *part = (const batch_query *)self->batches[one->batch]->queries.items + one->query;
        const row *from = (const row *)self->batches[one->batch]->rows.items + part->start;
        if (query->segments == 1) {
            rows = from;
        } else {
            memcpy(space->rows + done, from, part->count * sizeof *from);
            done += part->count;
        }
    }
    if (find_duplicates(self, request, space, rows, count, place, result)) {
        count = without_dropped(space, rows, count);
        rows = space->rows;
    }
    const int is_moved = rank_rows(space, rows, count, request->ties);
    uint8_t is_tied = 0;
    if (request->depth > 0 && count > (size_t)request->depth) {
        const size_t in = (size_t)request->depth - 1, out = (size_t)request->depth;
        const row *last = rows + (is_moved ? space->order[in] : in), *next = rows + (is_moved ? space->order[out] : out);
        is_tied = compared(last->score, request->ties) == compared(next->score, request->ties);
    }
    if (vector_add_i64(&result->lengths, (int64_t)count) || vector_add_bytes(&result->tied, &is_tied, 1))
        return -1;
    for (size_t i = 0; i < request->table_count; i++)
        if (add_hits(request->tables[i], result->hits + i, query, place - request->first, space, rows, count, is_moved))
            return -1;
    const size_t top = request->top < 0 || (size_t)request->top > count ? count : (size_t)request->top;
    return add_top(result, space, rows, top, is_moved);
}

int lists_rank(const query_lists *self, const rank_request *request, rank_result *result)
{
    static const uint8_t zeros[PADDING] = {0};
    workspace space = {0};
    result->table_count = request->table_count;
    result->hits = calloc(request->table_count + 1, sizeof *result->hits);
    int answer = result->hits == NULL || vector_add_bytes(&result->docs, zeros, ID_PADDING)
                 || vector_add_i64(&result->bounds, 0);
    for (size_t place = request->first; place < request->last && !answer; place++)
        answer = rank_list(self, request, place, &space, result);
    workspace_free(&space);
    return answer || vector_add_bytes(&result->docs, zeros, PADDING) ? -1 : 0;
}

void rank_result_free(rank_result *self)
{
    vector_free(&self->lengths);
    vector_free(&self->tied);
    vector_free(&self->docs);
    vector_free(&self->bounds);
    vector_free(&self->scores);
    for (size_t i = 0; self->hits && i < self->table_count; i++) {
        vector_free(&self->hits[i].places);
        vector_free(&self->hits[i].list);
        vector_free(&self->hits[i].rank);
        vector_free(&self->hits[i].row);
    }
    free(self->hits);
    self->hits = NULL;
}
