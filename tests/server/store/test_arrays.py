import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from runoff.errors import StoreError
from runoff.server.store.scores import PackedArray, pack_array, unpack_array


@given(
    arrays.arrays(
        st.sampled_from([np.int8, np.float64, np.int64]), arrays.array_shapes(max_dims=2, min_side=0, max_side=8)
    )
)
def test_an_array_comes_back_bit_for_bit(array):
    found = unpack_array(pack_array(array))
    assert (found.dtype, found.shape, found.tobytes()) == (array.dtype, array.shape, array.tobytes())


def test_equal_arrays_have_equal_hashes_in_any_memory_order():
    array = np.arange(6, dtype=np.int8).reshape(2, 3)
    assert pack_array(array) == pack_array(np.asfortranarray(array))


def test_damage_is_found():
    packed = pack_array(np.arange(3))
    other = pack_array(np.arange(4))
    with pytest.raises(StoreError, match="its hash is not the one that was noted; compute it again"):
        unpack_array(PackedArray(packed.content_hash, other.content))
    with pytest.raises(StoreError, match="a stored array is damaged"):
        unpack_array(PackedArray(packed.content_hash, packed.content[:-3]))


def test_objects_cannot_be_packed():
    with pytest.raises(ValueError, match="Object arrays cannot be saved"):
        pack_array(np.array([object()]))
