/* Decimal numbers in text into the nearest double, for any number of digits.

   Up to 19 digits are taken as a whole number w, so that the number is w * 10^q. Small w and q need one exact operation
   (Clinger 1990, doi:10.1145/93542.93557). All others are multiplied by 128 bits of 5^q, which decides the rounding in
   all but a few cases (Lemire 2021, doi:10.1002/spe.2984); those few, and numbers of more digits that lie between two
   doubles, are called hard and left to the caller, who has an exact way. */

#include "decimal.h"

#include "powers.h"

#define MOST_DIGITS 19
#define EXPONENT_BOUND 1000000000000 /* beyond it the answer is 0 or infinite: no token has so many digits */

static inline double made_of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, 8);
    return value;
}

/* w * 10^q rounded to the nearest double, as bits without a sign; 0 if it cannot be decided, and then *hard is set. */
static uint64_t scaled(uint64_t w, int64_t q, int *hard)
{
    if (w == 0 || q < SMALLEST_POWER)
        return 0;
    if (q > LARGEST_POWER)
        return 0x7FF0000000000000u;
    const int zeros = leading_zeros(w);
    w <<= zeros;
    const uint64_t *power = POWERS_OF_FIVE[q - SMALLEST_POWER];
    uint64_t low, high = multiply(w, power[0], &low);
    if ((high & 0x1FF) == 0x1FF) { /* the bits below could carry into those that count: take the rest of the power */
        uint64_t unused;
        const uint64_t more = multiply(w, power[1], &unused);
        low += more;
        high += low < more;
        if (low == UINT64_MAX && (q < -27 || q > 55)) {
            *hard = 1;
            return 0;
        }
    }
    const int top = (int)(high >> 63);
    uint64_t mantissa = high >> (top + 9);                                 /* 53 bits and one to round by */
    int64_t exponent = ((217706 * q) >> 16) + 63 + top - zeros + 1023;     /* 217706 / 2^16 = log2(10), from below */
    if (exponent <= 0) {                                                   /* subnormal */
        if (exponent <= -63)
            return 0;
        mantissa >>= 1 - exponent;
        mantissa += mantissa & 1;
        return mantissa >> 1;
    }
    /* exactly between two doubles: to the even one; only powers that fit into 64 bits can give this */
    if (low <= 1 && q >= -4 && q <= 23 && (mantissa & 3) == 1 && mantissa << (top + 9) == high)
        mantissa &= ~(uint64_t)1;
    mantissa += mantissa & 1;
    mantissa >>= 1;
    if (mantissa >> 53) {
        mantissa >>= 1;
        exponent++;
    }
    if (exponent >= 0x7FF)
        return 0x7FF0000000000000u;
    return (uint64_t)exponent << 52 | (mantissa & 0x000FFFFFFFFFFFFFu);
}

/* The digits of a number: w is the whole number that they spell without the dot. */
typedef struct {
    uint64_t w;
    int64_t count;     /* all digits, with zeros in front */
    int64_t left_out;  /* digits that no longer fitted into w */
    int is_cut;        /* one of those left out was not 0 */
} digit_run;

/* Take all digits from a place on; where they end. More than MOST_DIGITS overflow w, and are taken again. */
static inline const uint8_t *take_digits(const uint8_t *place, const uint8_t *end, digit_run *run)
{
    while (place < end) {
        const uint64_t word = load_word(place);
        int count = count_digits(word);
        if (count > end - place)
            count = (int)(end - place);
        if (count == 0)
            break;
        run->w = run->w * WHOLE_POWERS[count] + spelled(word, count);
        run->count += count;
        place += count;
        if (count < 8)
            break;
    }
    return place;
}

/* The first MOST_DIGITS digits of a number that has more, from the first that is not 0. */
static void take_first_digits(const uint8_t *place, const uint8_t *end, digit_run *run)
{
    int taken = 0;
    run->w = 0;
    for (; place < end; place++) {
        if (*place == '.')
            continue;
        const unsigned int digit = (unsigned int)*place - '0';
        if (taken < MOST_DIGITS) {
            run->w = run->w * 10 + digit;
            taken += run->w != 0;
        } else {
            run->left_out++;
            run->is_cut |= digit != 0;
        }
    }
}

/* The exponent from behind its `e` on, kept within bounds; the end of the digits, or NULL if there are none. */
static const uint8_t *take_exponent(const uint8_t *place, const uint8_t *end, int64_t *exponent)
{
    const int is_negative = place < end && *place == '-';
    if (place < end && (*place == '-' || *place == '+'))
        place++;
    const uint8_t *first = place;
    int64_t value = 0;
    for (; place < end && *place >= '0' && *place <= '9'; place++)
        if (value < EXPONENT_BOUND)
            value = value * 10 + (*place - '0');
    *exponent = is_negative ? -value : value;
    return place > first ? place : NULL;
}

enum decimal_answer read_any_decimal(const uint8_t *token, size_t length, double *value)
{
    const uint8_t *place = token, *end = token + length;
    const int is_negative = length && *place == '-';
    if (length && (*place == '-' || *place == '+'))
        place++;
    const uint8_t *first = place;
    digit_run run = {0, 0, 0, 0};
    place = take_digits(place, end, &run);
    int64_t fraction = 0;
    if (place < end && *place == '.') {
        const int64_t whole = run.count;
        place = take_digits(place + 1, end, &run);
        fraction = run.count - whole;
    }
    if (run.count == 0)
        return DECIMAL_BAD;
    if (RARE(run.count > MOST_DIGITS))
        take_first_digits(first, place, &run);
    int64_t exponent = 0;
    if (place < end && (*place == 'e' || *place == 'E')) {
        place = take_exponent(place + 1, end, &exponent);
        if (place == NULL)
            return DECIMAL_BAD;
    }
    if (place != end)
        return DECIMAL_BAD;
    const int64_t q = exponent - fraction + run.left_out;
    if (FLT_EVAL_METHOD == 0 && run.w >> 53 == 0 && !run.is_cut && q >= -22 && q <= 22) {
        const double size = q < 0 ? (double)run.w / EXACT_POWERS[-q] : (double)run.w * EXACT_POWERS[q];
        *value = is_negative ? -size : size;
        return DECIMAL_READ;
    }
    int hard = 0;
    const uint64_t bits = scaled(run.w, q, &hard);
    if (run.is_cut && (scaled(run.w + 1, q, &hard) != bits))
        hard = 1;
    if (hard)
        return DECIMAL_HARD;
    if (bits == 0x7FF0000000000000u)
        return DECIMAL_BAD;
    *value = made_of_bits(bits | (uint64_t)is_negative << 63);
    return DECIMAL_READ;
}

int64_t read_rank(const uint8_t *token, size_t length)
{
    const uint8_t *place = token, *end = token + length;
    if (length && (*place == '-' || *place == '+'))
        place++;
    if (place == end || end - place > 18)
        return 0;
    int64_t rank = 0;
    for (; place < end; place++) {
        if (*place < '0' || *place > '9')
            return 0;
        rank = rank * 10 + (*place - '0');
    }
    return *token == '-' ? 0 : rank;
}
