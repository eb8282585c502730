/* Documents that a list has twice. */

#include <string.h>

#include "ranking.h"

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

/* Find documents that come twice, and mark those that are dropped; fills the table of the list. */
static enum list_documents find_duplicates(const query_lists *self, const rank_request *request, workspace *space,
                                           const row *rows, size_t count, size_t query, rank_result *result)
{
    const size_t size = slot_count(count);
    enum list_documents found = ALL_DIFFERENT;
    int is_noted = 1;
    space->slot_mask = size - 1;
    memset(space->slots, 0, size * sizeof *space->slots);
    for (size_t i = 0; i < count; i++)
        space->hashes[i] = hash_bytes(rows[i].doc, rows[i].length);
    for (size_t i = 0; i < count; i++) {
        uint32_t *slot = slot_of(space, rows, rows[i].doc, rows[i].length, space->hashes[i]);
        if (*slot == 0) {
            *slot = (uint32_t)i + 1;
            continue;
        }
        const size_t first = *slot - 1;
        if (request->duplicates == DUPLICATES_ERROR) {
            /* finding its line takes a step per batch: only for the few that are described */
            is_noted = is_noted && note_repeated(self, result, query, i, first, rows);
            result->repeated_total++;
            found = SOME_REPEATED;
            continue;
        }
        if (found != SOME_DROPPED)
            memset(space->is_dropped, 0, count);
        found = SOME_DROPPED;
        result->dropped++;
        if (request->duplicates == DUPLICATES_BEST
            && score_key(rows[i].score, request->ties) > score_key(rows[first].score, request->ties)) {
            space->is_dropped[first] = 1;
            *slot = (uint32_t)i + 1;
        } else {
            space->is_dropped[i] = 1;
        }
    }
    return found;
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

enum list_documents settle_duplicates(const query_lists *lists, const rank_request *request, workspace *space,
                                      ranked_list *list, rank_result *result)
{
    const enum list_documents found =
        find_duplicates(lists, request, space, list->rows, list->count, list->place, result);
    if (found == SOME_DROPPED) {
        list->count = without_dropped(space, list->rows, list->count);
        list->rows = space->rows;
    }
    return found;
}
