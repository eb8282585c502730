/* What the files of the fuzzer share. */

#ifndef RUNOFF_FUZZ_H
#define RUNOFF_FUZZ_H

/* The reader is compiled with other names, see allocation.c; the fuzzer's own allocations never fail. */
#undef malloc
#undef calloc
#undef realloc

#include <stdio.h>
#include <stdlib.h>

#include "rows.h"

#define HEADER 16 /* bytes of an input before its text; they choose the options */
#define FAILING 11 /* the one that chooses the allocation that fails: none below 64, then the first, second and so on */

/* A law of the reader that must hold for every input. */
#define HOLDS(law)                                                         \
    do {                                                                   \
        if (!(law)) {                                                      \
            fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #law); \
            abort();                                                       \
        }                                                                  \
    } while (0)

/* Let the n-th allocation from now on fail, and with `all` those behind it; 0: none. */
void fail_allocation(int number, int all);
/* Whether one has failed. */
int has_failed_allocation(void);

/* One text with its fields, its rows before they are arranged, and its layout. */
typedef struct {
    const uint8_t *text;
    uint32_t size;
    const layout *form;
} sample;

void check_fields(const sample *from, const field_table *table);
void check_rows(const sample *from, const field_table *table, const batch *read);
/* A token that any byte may follow, digits too. */
void check_decimal(const uint8_t *token, size_t length);
void check_block_start(const sample *from, const field_table *all_fields);
void check_arranged(const batch *arranged, size_t rows);
void check_lists(const query_lists *lists);
void check_judged(const judged *table);
void check_ranked(const query_lists *lists, const rank_request *request, const rank_result *result);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
