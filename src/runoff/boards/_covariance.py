"""Covariance of the scores of runs over queries, slab by slab: the standard errors of all pairs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from runoff.tables.scores import slabs, sum_in_order

ROUNDING = 1e-12  # what rounding leaves of the variance of two equal columns, at most


def column_means(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The means of the columns of scores, queries x runs, which are all defined."""
    sums = np.zeros(values.shape[1])
    for slab in slabs(values):
        sums = sum_in_order(slab, sums)
    means: NDArray[np.float64] = sums / len(values)
    return means


def centred_products(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sums over queries of the products of two runs' distances from their means, runs x runs.

    >>> centred_products(np.array([[0.0, 1.0], [1.0, 0.0]])).tolist()
    [[0.5, -0.5], [-0.5, 0.5]]
    """
    means = column_means(values)
    products = np.zeros((values.shape[1],) * 2)
    for slab in slabs(values):
        centred = slab - means
        products += centred.T @ centred
    return products


def pair_variances(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The variance over queries of the difference of each two runs, with divisor n; exactly 0 where it is rounding.

    >>> pair_variances(np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 2.0]])).tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    """
    gram = centred_products(values)
    own = np.diag(gram)
    squares = own[:, None] + own[None, :] - gram - gram.T
    # What is left of two columns that differ by a constant, and of columns that are constant themselves.
    noise = len(values) * (ROUNDING * float(np.abs(column_means(values)).max(initial=0.0))) ** 2
    squares[squares <= ROUNDING * (own[:, None] + own[None, :]) + noise] = 0.0
    variances: NDArray[np.float64] = squares / len(values)
    return variances


def pair_errors(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The standard error of the mean difference of each two runs, runs x runs."""
    errors: NDArray[np.float64] = np.sqrt(pair_variances(values) / max(len(values) - 1, 1))
    return errors


def covariance_root(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """A triangle R with R.T @ R the covariance of the means under the bootstrap: `centred_products` / n^2.

    That of all slabs follows from those of the first and the rest, so it is never made of all scores at once.

    >>> root = covariance_root(np.array([[0.0, 1.0], [1.0, 0.5], [0.5, 0.0]]))
    >>> np.allclose(root.T @ root, np.cov(np.array([[0.0, 1.0, 0.5], [1.0, 0.5, 0.0]]), bias=True) / 3)
    True
    """
    means = column_means(values)
    root: NDArray[np.float64] = np.zeros((0, values.shape[1]))
    for slab in slabs(values):
        root = np.asarray(np.linalg.qr(np.concatenate([root, (slab - means) / len(values)]), mode="r"))
    return root
