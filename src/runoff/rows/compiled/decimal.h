/* Decimal numbers in text into the nearest double. */

#ifndef RUNOFF_DECIMAL_H
#define RUNOFF_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

enum decimal_answer {
    DECIMAL_READ, /* *value is the nearest double */
    DECIMAL_BAD,  /* not a decimal number, or not finite */
    DECIMAL_HARD  /* a number between two doubles that takes more digits to decide than are looked at here */
};

/* The number that a token spells: sign, digits with a dot, exponent. Reads up to 8 bytes behind the token. */
enum decimal_answer read_decimal(const uint8_t *token, size_t length, double *value);

/* A rank: a whole number of 1 to 18 digits, at least 1; 0 if the token is none. */
int64_t read_rank(const uint8_t *token, size_t length);

#endif
