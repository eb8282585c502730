/* Merge sort, bottom up, from short runs that are sorted by insertion. */

#include "sort.h"

#include "bytes.h"

#define SHORT_RUN 8

/* Whether one item must be in front of the other, which is before it now. */
static inline int goes_before(const sort_item *one, const sort_item *other, const row *rows, int ascending)
{
    if (one->key != other->key)
        return one->key > other->key;
    if (rows == NULL)
        return 0;
    const row *a = rows + one->index, *b = rows + other->index;
    const int order = compare_bytes(a->doc, a->length, b->doc, b->length);
    return ascending ? order < 0 : order > 0;
}

/* Sort a few items in place. */
static void insert_all(sort_item *items, size_t count, const row *rows, int ascending)
{
    for (size_t i = 1; i < count; i++) {
        const sort_item moved = items[i];
        size_t at = i;
        for (; at > 0 && goes_before(&moved, &items[at - 1], rows, ascending); at--)
            items[at] = items[at - 1];
        items[at] = moved;
    }
}

/* Merge two sorted runs that are one behind the other. No branch depends on the keys, which come in any order. */
static void merge(const sort_item *left, const sort_item *middle, const sort_item *end, sort_item *to, const row *rows,
                  int ascending)
{
    const sort_item *right = middle;
    while (left < middle && right < end) {
        int take_right = right->key > left->key;
        if (RARE(right->key == left->key) && rows)
            take_right = goes_before(right, left, rows, ascending);
        *to++ = *(take_right ? right : left);
        right += take_right;
        left += !take_right;
    }
    memcpy(to, left, (size_t)(middle - left) * sizeof *to);
    memcpy(to + (middle - left), right, (size_t)(end - right) * sizeof *to);
}

sort_item *sort_items(sort_item *items, sort_item *spare, size_t count, const row *rows, int ascending)
{
    for (size_t begin = 0; begin < count; begin += SHORT_RUN)
        insert_all(items + begin, begin + SHORT_RUN < count ? SHORT_RUN : count - begin, rows, ascending);
    for (size_t width = SHORT_RUN; width < count; width *= 2) {
        for (size_t begin = 0; begin < count; begin += 2 * width) {
            const size_t middle = begin + width < count ? begin + width : count;
            const size_t end = begin + 2 * width < count ? begin + 2 * width : count;
            merge(items + begin, items + middle, items + end, spare + begin, rows, ascending);
        }
        sort_item *sorted = spare;
        spare = items;
        items = sorted;
    }
    return items;
}
