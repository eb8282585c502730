/* Decimal numbers in text into the nearest double. */

#ifndef RUNOFF_DECIMAL_H
#define RUNOFF_DECIMAL_H

#include <float.h>

#include "bytes.h"

enum decimal_answer {
    DECIMAL_READ, /* *value is the nearest double */
    DECIMAL_BAD,  /* not a decimal number, or not finite */
    DECIMAL_HARD  /* a number between two doubles that takes more digits to decide than are looked at here */
};

/* The number that a token spells: sign, digits with a dot, exponent. Reads up to 8 bytes behind the token. */
enum decimal_answer read_any_decimal(const uint8_t *token, size_t length, double *value);

/* A rank: a whole number of 1 to 18 digits, at least 1; 0 if the token is none. */
int64_t read_rank(const uint8_t *token, size_t length);

static const uint64_t WHOLE_POWERS[] = {1u, 10u, 100u, 1000u, 10000u, 100000u, 1000000u, 10000000u, 100000000u};
static const double EXACT_POWERS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* How many of the eight bytes, from the first on, are digits. */
static inline int count_digits(uint64_t word)
{
    const uint64_t other = ((word + 0x4646464646464646u) | (word - 0x3030303030303030u)) & 0x8080808080808080u;
    return other ? lowest_bit(other) >> 3 : 8;
}

/* The number that the first 1 to 8 bytes spell, all of them digits. */
static inline uint64_t spelled(uint64_t word, int digits)
{
    word <<= 64 - 8 * digits; /* zeros in front */
    word = (word & 0x0F0F0F0F0F0F0F0Fu) * 2561 >> 8;
    word = (word & 0x00FF00FF00FF00FFu) * 6553601 >> 16;
    return (word & 0x0000FFFF0000FFFFu) * 42949672960001u >> 32;
}

/* The same for the commonest spelling: up to seven digits, a dot, up to seven digits. */
static inline enum decimal_answer read_decimal(const uint8_t *token, size_t length, double *value)
{
    const uint64_t word = load_word(token);
    const int whole = count_digits(word);
    if (whole >= 1 && whole <= 7 && token[whole] == '.') {
        const uint64_t rest = load_word(token + whole + 1);
        const int fraction = count_digits(rest);
        if (fraction >= 1 && fraction <= 7 && (size_t)(whole + 1 + fraction) == length && FLT_EVAL_METHOD == 0) {
            *value = (double)(spelled(word, whole) * WHOLE_POWERS[fraction] + spelled(rest, fraction))
                     / EXACT_POWERS[fraction];
            return DECIMAL_READ;
        }
    }
    return read_any_decimal(token, length, value);
}

#endif
