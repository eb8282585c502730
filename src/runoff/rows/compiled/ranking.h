/* What the steps of ranking a list share. */

#ifndef RUNOFF_RANKING_H
#define RUNOFF_RANKING_H

#include <math.h>

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
    uint32_t *ranks;   /* the rank of every row, while hits are sorted */
    uint32_t *slots;   /* rows + 1, by hash: a table of the list's documents */
    size_t slot_mask;  /* of the present list */
} workspace;

/* A list that is being ranked. */
typedef struct {
    const ranked_query *query;
    size_t place; /* of the query among all */
    const row *rows;
    size_t count;
    int is_moved; /* the order of ranks is in the workspace; else it is that of the rows */
} ranked_list;

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

/* The slot of a document in the table of the list, which is free if the list has it not yet. */
static inline uint32_t *slot_of(const workspace *space, const row *rows, const uint8_t *doc, size_t length, uint64_t hash)
{
    size_t slot = (size_t)hash & space->slot_mask;
    for (; space->slots[slot]; slot = (slot + 1) & space->slot_mask) {
        const size_t other = space->slots[slot] - 1;
        if (RARE(space->hashes[other] == hash) && rows[other].length == length
            && equal_bytes(rows[other].doc, doc, length))
            break;
    }
    return space->slots + slot;
}

/* The size of a table for so many documents: at most a third of it is filled, so that most are found at once. */
static inline size_t slot_count(size_t documents)
{
    size_t slots = 64;
    while (slots < 3 * documents)
        slots *= 2;
    return slots;
}

enum list_documents { ALL_DIFFERENT, SOME_REPEATED, SOME_DROPPED };

/* Find documents that come twice, and take out those that are dropped; fills the table of the list. */
enum list_documents settle_duplicates(const query_lists *lists, const rank_request *request, workspace *space,
                                      ranked_list *list, rank_result *result);

/* Whether ranks of judged documents can be counted, without sorting: there are few, and no others are wanted. */
int can_count_ranks(const rank_request *request, const ranked_list *list);
/* Add the judged documents of a list under one table, by rank; with `by_count` the list was not sorted. */
int add_hits(const judged *table, judged_hits *hits, const rank_request *request, const ranked_list *list,
             workspace *space, int is_whole, int by_count);
/* Whether the scores at the depth and behind it are equal, in a list that was not sorted. */
int is_tied_by_count(const rank_request *request, const ranked_list *list);

#endif
