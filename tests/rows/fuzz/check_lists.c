/* Laws of lists and rankings. */

#include "fuzz.h"

#include <math.h>
#include <string.h>

#include "bytes.h"

#define MOST_PAIRS 20000 /* beyond it, pairs are not compared one by one */

static const ranked_query *query_at(const query_lists *lists, size_t place)
{
    return (const ranked_query *)lists->queries.items + place;
}

void check_lists(const query_lists *lists)
{
    size_t rows = 0, segments = 0;
    for (size_t i = 0; i < lists->queries.count; i++) {
        const ranked_query *query = query_at(lists, i);
        HOLDS(query->first_segment == segments && query->segments > 0);
        size_t count = 0;
        for (size_t part = 0; part < query->segments; part++) {
            const segment *one = lists->segments + query->first_segment + part;
            const batch_query *of = (const batch_query *)lists->batches[one->batch]->queries.items + one->query;
            HOLDS(part == 0 || (one - 1)->batch < one->batch);
            HOLDS(of->length == query->length && memcmp(of->id, query->id, of->length) == 0);
            count += of->count;
        }
        HOLDS(count == query->rows && count > 0);
        rows += count;
        segments += query->segments;
        for (size_t other = 0; other < i && i < 64; other++)
            HOLDS(query_at(lists, other)->length != query->length
                  || memcmp(query_at(lists, other)->id, query->id, query->length));
    }
    HOLDS(rows == lists->rows);
}

static int is_doc(const judged *table, size_t row, const uint8_t *doc, size_t length)
{
    const int64_t begin = table->doc_bounds[row];
    return (size_t)(table->doc_bounds[row + 1] - begin) == length && memcmp(table->doc_text + begin, doc, length) == 0;
}

void check_judged(const judged *table)
{
    if (table->rows * table->rows > MOST_PAIRS)
        return;
    for (size_t row = 0; row < table->rows; row++)
        for (size_t other = 0; other < row; other++) {
            const uint8_t *doc = table->doc_text + table->doc_bounds[row];
            const size_t length = (size_t)(table->doc_bounds[row + 1] - table->doc_bounds[row]);
            if (table->row_query[row] == table->row_query[other] && is_doc(table, other, doc, length)) {
                HOLDS(table->repeated == (int64_t)row && table->repeats == (int64_t)other);
                return;
            }
        }
    HOLDS(table->repeated == -1 && table->repeats == -1);
}

static double compared(double score, enum tie_rule ties)
{
    return ties == TIES_FLOAT32 ? (double)(float)score : score;
}

/* Whether two documents, one rank after the other, may be in this order. */
static int may_follow(const rank_result *result, size_t at, enum tie_rule ties)
{
    const int64_t *bounds = result->bounds.items;
    const double *scores = result->scores.items;
    const uint8_t *docs = (const uint8_t *)result->docs.items + ID_PADDING;
    const double one = compared(scores[at], ties), other = compared(scores[at + 1], ties);
    if (ties == TIES_UNRANKED)
        return 1;
    if (isnan(one) || isnan(other))
        return isnan(other);
    if (one != other || ties == TIES_FILE)
        return one >= other;
    const int order = compare_bytes(docs + bounds[at], (size_t)(bounds[at + 1] - bounds[at]), docs + bounds[at + 1],
                                    (size_t)(bounds[at + 2] - bounds[at + 1]));
    return ties == TIES_DOC_ASCENDING ? order <= 0 : order >= 0;
}

/* No document is in a list twice, where duplicates are dropped. */
static void check_distinct(const rank_result *result, size_t begin, size_t end)
{
    const int64_t *bounds = result->bounds.items;
    const uint8_t *docs = (const uint8_t *)result->docs.items + ID_PADDING;
    for (size_t i = begin; i < end; i++)
        for (size_t other = begin; other < i; other++)
            HOLDS(compare_bytes(docs + bounds[i], (size_t)(bounds[i + 1] - bounds[i]), docs + bounds[other],
                                (size_t)(bounds[other + 1] - bounds[other])));
}

/* The hits of one table, against a search through all its rows; the lists are here from their first rank to the last. */
static void check_found(const judged *table, const judged_hits *hits, const rank_result *result)
{
    const int64_t *lengths = result->lengths.items, *bounds = result->bounds.items, *places = hits->places.items;
    const int64_t *hit_list = hits->list.items, *hit_rank = hits->rank.items, *hit_row = hits->row.items;
    const uint8_t *docs = (const uint8_t *)result->docs.items + ID_PADDING;
    size_t at = 0, hit = 0;
    for (size_t list = 0; list < result->lengths.count; list++)
        for (int64_t rank = 0; rank < lengths[list]; rank++, at++) {
            size_t row = 0;
            while (row < table->rows
                   && !(table->row_query[row] == places[list]
                        && is_doc(table, row, docs + bounds[at], (size_t)(bounds[at + 1] - bounds[at]))))
                row++;
            if (row == table->rows)
                continue;
            HOLDS(hit < hits->list.count && hit_list[hit] == (int64_t)list && hit_rank[hit] == rank);
            HOLDS(hit_row[hit] == (int64_t)row);
            hit++;
        }
    HOLDS(hit == hits->list.count);
}

static void check_hits(const judged *table, const judged_hits *hits, const rank_result *result)
{
    const int64_t *lists = hits->list.items, *ranks = hits->rank.items, *rows = hits->row.items;
    const int64_t *lengths = result->lengths.items;
    const size_t count = hits->list.count;
    HOLDS(hits->places.count == result->lengths.count);
    HOLDS(hits->rank.count == count && hits->row.count == count);
    for (size_t i = 0; i < count; i++) {
        HOLDS(lists[i] >= 0 && (size_t)lists[i] < result->lengths.count);
        HOLDS(ranks[i] >= 0 && ranks[i] < lengths[lists[i]]);
        HOLDS(rows[i] >= 0 && (size_t)rows[i] < table->rows);
        HOLDS(table->row_query[rows[i]] == ((const int64_t *)hits->places.items)[lists[i]]);
        HOLDS(i == 0 || lists[i - 1] < lists[i] || (lists[i - 1] == lists[i] && ranks[i - 1] < ranks[i]));
    }
}

static void check_repeated(const rank_request *request, const rank_result *result)
{
    HOLDS(result->repeated_total == 0 || request->duplicates == DUPLICATES_ERROR);
    HOLDS(result->dropped == 0 || request->duplicates != DUPLICATES_ERROR);
    HOLDS(result->repeated_kept == (result->repeated_total < MOST_FAULTS ? result->repeated_total : MOST_FAULTS));
    for (size_t i = 0; i < result->repeated_kept; i++) {
        const repeated_row *one = &result->repeated[i], *before = one - 1;
        HOLDS(one->first_batch < one->batch || (one->first_batch == one->batch && one->first_line < one->line));
        HOLDS(i == 0 || before->batch < one->batch || (before->batch == one->batch && before->line < one->line));
    }
}

void check_ranked(const query_lists *lists, const rank_request *request, const rank_result *result)
{
    const int64_t *lengths = result->lengths.items, *bounds = result->bounds.items;
    const double *scores = result->scores.items;
    size_t rows = 0, expected = 0, at = 0;
    HOLDS(result->lengths.count == request->last - request->first && result->tied.count == result->lengths.count);
    for (size_t i = request->first; i < request->last; i++)
        expected += query_at(lists, i)->rows;
    for (size_t i = 0; i < result->lengths.count; i++) {
        const size_t length = (size_t)lengths[i];
        const size_t kept = request->top < 0 || (size_t)request->top > length ? length : (size_t)request->top;
        HOLDS(lengths[i] > 0 && at + kept <= result->scores.count);
        for (size_t rank = at; rank + 1 < at + kept; rank++)
            HOLDS(may_follow(result, rank, request->ties));
        const size_t depth = request->depth < 1 ? SIZE_MAX : (size_t)request->depth;
        if (depth < kept)
            HOLDS(((const uint8_t *)result->tied.items)[i]
                  == (compared(scores[at + depth - 1], request->ties) == compared(scores[at + depth], request->ties)));
        if (request->duplicates != DUPLICATES_ERROR && kept * kept < MOST_PAIRS)
            check_distinct(result, at, at + kept);
        rows += length;
        at += kept;
    }
    HOLDS(rows + result->dropped == expected);
    HOLDS(at == result->scores.count && at + 1 == result->bounds.count && bounds[0] == 0);
    for (size_t i = 0; i < at; i++)
        HOLDS(bounds[i] <= bounds[i + 1]);
    HOLDS((size_t)bounds[at] + ID_PADDING + PADDING == result->docs.count);
    for (size_t i = 0; i < request->table_count; i++) {
        check_hits(request->tables[i], result->hits + i, result);
        if (request->top < 0 && at * request->tables[i]->rows < MOST_PAIRS)
            check_found(request->tables[i], result->hits + i, result);
    }
    check_repeated(request, result);
}
