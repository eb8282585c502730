/* One list after the other: duplicates found, rows ranked, judged documents matched, the top copied out. */

#include <stdlib.h>
#include <string.h>

#include "ranking.h"

static void workspace_free(workspace *self)
{
    free(self->rows);
    free(self->hashes);
    free(self->order);
    free(self->is_dropped);
    free(self->items);
    free(self->spare);
    free(self->ranks);
    free(self->slots);
    memset(self, 0, sizeof *self);
}

static int workspace_reserve(workspace *self, size_t rows)
{
    if (rows <= self->room)
        return 0;
    workspace_free(self);
    const size_t room = rows + rows / 2;
    self->rows = malloc(room * sizeof *self->rows);
    self->hashes = malloc(room * sizeof *self->hashes);
    self->order = malloc(room * sizeof *self->order);
    self->is_dropped = malloc(room);
    self->items = malloc(room * sizeof *self->items);
    self->spare = malloc(room * sizeof *self->spare);
    self->ranks = malloc(room * sizeof *self->ranks);
    self->slots = malloc(slot_count(room) * sizeof *self->slots);
    if (!self->rows || !self->hashes || !self->order || !self->is_dropped || !self->items || !self->spare
        || !self->ranks || !self->slots)
        return -1;
    self->room = room;
    return 0;
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
static int rank_rows(workspace *space, const row *rows, size_t count, enum tie_rule ties, enum list_order order)
{
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

/* The rows of a list, put together where they are in several batches. */
static const row *rows_of_list(const query_lists *self, const ranked_query *query, workspace *space)
{
    size_t done = 0;
    for (size_t i = 0; i < query->segments; i++) {
        const segment *one = self->segments + query->first_segment + i;
        const batch_query *part = (const batch_query *)self->batches[one->batch]->queries.items + one->query;
        const row *from = (const row *)self->batches[one->batch]->rows.items + part->start;
        if (query->segments == 1)
            return from;
        memcpy(space->rows + done, from, part->count * sizeof *from);
        done += part->count;
    }
    return space->rows;
}

/* Whether the tie rule decided what is inside the depth of a list that is in order. */
static int is_tied(const rank_request *request, const ranked_list *list, const workspace *space)
{
    if (request->depth <= 0 || list->count <= (size_t)request->depth)
        return 0;
    const size_t in = (size_t)request->depth - 1, out = (size_t)request->depth;
    const row *last = list->rows + (list->is_moved ? space->order[in] : in);
    const row *next = list->rows + (list->is_moved ? space->order[out] : out);
    return compared(last->score, request->ties) == compared(next->score, request->ties);
}

static int rank_list(const query_lists *self, const rank_request *request, size_t place, workspace *space,
                     rank_result *result)
{
    ranked_list list = {.query = (const ranked_query *)self->queries.items + place, .place = place};
    list.count = list.query->rows;
    if (list.count >= UINT32_MAX || workspace_reserve(space, list.count))
        return -1;
    list.rows = rows_of_list(self, list.query, space);
    const int is_whole = settle_duplicates(self, request, space, &list, result) == ALL_DIFFERENT;
    const enum list_order order =
        request->ties == TIES_UNRANKED ? IN_ORDER : order_of(list.rows, list.count, request->ties);
    const int by_count = order == NO_ORDER && is_whole && can_count_ranks(request, &list);
    if (!by_count)
        list.is_moved = rank_rows(space, list.rows, list.count, request->ties, order);
    const uint8_t tied = (uint8_t)(by_count ? is_tied_by_count(request, &list) : is_tied(request, &list, space));
    if (vector_add_i64(&result->lengths, (int64_t)list.count) || vector_add_bytes(&result->tied, &tied, 1))
        return -1;
    for (size_t i = 0; i < request->table_count; i++)
        if (add_hits(request->tables[i], result->hits + i, request, &list, space, is_whole, by_count))
            return -1;
    const size_t top = request->top < 0 || (size_t)request->top > list.count ? list.count : (size_t)request->top;
    return add_top(result, space, list.rows, top, list.is_moved);
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
