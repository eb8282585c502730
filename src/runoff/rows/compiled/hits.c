/* The judged documents of a list, and their ranks. */

#include "ranking.h"

#define FEW_SLOTS 32  /* of judged documents: at most half are filled */
#define FEW_RANKS 32

static int add_hit(judged_hits *hits, size_t list, size_t rank, int64_t judgment)
{
    return vector_add_i64(&hits->list, (int64_t)list) || vector_add_i64(&hits->rank, (int64_t)rank)
           || vector_add_i64(&hits->row, judgment);
}

/* The judged documents of a query that are in the table of its list, as items: row and judgment. */
static size_t find_judged(const judged *table, int64_t place, workspace *space, const row *rows)
{
    size_t found = 0;
    for (size_t slot = table->slot_start[place]; slot < table->slot_start[place + 1]; slot++) {
        if (table->slots[slot] == 0)
            continue;
        const size_t judgment = (size_t)(table->slots[slot] & UINT32_MAX) - 1;
        const uint8_t *doc = table->doc_text + table->doc_bounds[judgment];
        const size_t length = (size_t)(table->doc_bounds[judgment + 1] - table->doc_bounds[judgment]);
        const uint32_t at = *slot_of(space, rows, doc, length, hash_bytes(doc, length));
        if (at) {
            const sort_item item = {at - 1, (uint32_t)judgment};
            space->items[found++] = item;
        }
    }
    return found;
}

/* The rank of a row of a list that was not sorted: how many rows are before it. */
static size_t counted_rank(const ranked_list *list, size_t at, enum tie_rule ties)
{
    const row *mine = list->rows + at;
    const uint64_t key = score_key(mine->score, ties);
    size_t before = 0;
    for (size_t i = 0; i < list->count; i++) {
        const uint64_t other = score_key(list->rows[i].score, ties);
        before += other > key;
        if (RARE(other == key) && i != at) {
            const row *one = list->rows + i;
            const int order = compare_bytes(one->doc, one->length, mine->doc, mine->length);
            if (ties == TIES_FILE || key == 0)
                before += i < at;
            else
                before += ties == TIES_DOC_ASCENDING ? order < 0 : order > 0;
        }
    }
    return before;
}

int can_count_ranks(const rank_request *request, const ranked_list *list)
{
    int is_few = request->top == 0 && request->depth <= FEW_RANKS && request->ties != TIES_UNRANKED;
    for (size_t i = 0; i < request->table_count && is_few; i++) {
        const judged *table = request->tables[i];
        const int64_t place = judged_place(table, list->query->id, list->query->length, list->query->hash);
        is_few = judged_slot_count(table, place) <= FEW_SLOTS;
    }
    return is_few;
}

int is_tied_by_count(const rank_request *request, const ranked_list *list)
{
    if (request->depth <= 0 || list->count <= (size_t)request->depth)
        return 0;
    uint64_t highest[FEW_RANKS + 1]; /* the keys to the rank behind the depth, sorted */
    const size_t wanted = (size_t)request->depth + 1;
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        const uint64_t key = score_key(list->rows[i].score, request->ties);
        if (kept == wanted && key <= highest[kept - 1])
            continue;
        size_t at = kept < wanted ? kept++ : kept - 1;
        for (; at > 0 && highest[at - 1] < key; at--)
            highest[at] = highest[at - 1];
        highest[at] = key;
    }
    return highest[wanted - 1] && highest[wanted - 1] == highest[wanted - 2];
}

/* Add judged documents that were found by their rows, by rank. */
static int add_found(judged_hits *hits, const rank_request *request, const ranked_list *list, workspace *space,
                     size_t found, int by_count)
{
    if (list->is_moved && found)
        for (size_t rank = 0; rank < list->count; rank++)
            space->ranks[space->order[rank]] = (uint32_t)rank;
    for (size_t i = 0; i < found; i++) {
        const size_t at = (size_t)space->items[i].key;
        const size_t rank = by_count ? counted_rank(list, at, request->ties) : list->is_moved ? space->ranks[at] : at;
        space->items[i].key = ~(uint64_t)rank;
    }
    const sort_item *sorted = sort_items(space->items, space->spare, found, NULL, 0);
    for (size_t i = 0; i < found; i++)
        if (add_hit(hits, list->place - request->first, (size_t)~sorted[i].key, sorted[i].index))
            return -1;
    return 0;
}

int add_hits(const judged *table, judged_hits *hits, const rank_request *request, const ranked_list *list,
             workspace *space, int is_whole, int by_count)
{
    const int64_t place = judged_place(table, list->query->id, list->query->length, list->query->hash);
    if (vector_add_i64(&hits->places, place))
        return -1;
    const size_t slots = judged_slot_count(table, place);
    if (slots == 0)
        return 0;
    if (by_count || (is_whole && slots <= 2 * list->count)) /* mostly there are fewer judged documents than rows */
        return add_found(hits, request, list, space, find_judged(table, place, space, list->rows), by_count);
    for (size_t rank = 0; rank < list->count; rank++) {
        const size_t at = list->is_moved ? space->order[rank] : rank;
        const row *one = list->rows + at;
        const int64_t found = judged_row(table, place, one->doc, one->length, space->hashes[at]);
        if (found >= 0 && add_hit(hits, list->place - request->first, rank, found))
            return -1;
    }
    return 0;
}
