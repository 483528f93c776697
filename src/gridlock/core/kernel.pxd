# C types for kernel.py when it is compiled; `interpreted.py` has the Python equivalents.
cimport cython

ctypedef unsigned long long u64

cdef extern from *:
    """
    static CYTHON_INLINE PyObject *gl_item(PyObject *sequence, Py_ssize_t place) {
        if (PyTuple_Check(sequence) && place < PyTuple_GET_SIZE(sequence)) {
            PyObject *found = PyTuple_GET_ITEM(sequence, place);
            Py_INCREF(found);
            return found;
        }
        return PySequence_GetItem(sequence, place);
    }
    static PyObject *gl_made(PyObject *kind, PyObject *a, PyObject *b, PyObject *c, PyObject *d, PyObject *e) {
        PyObject *items[5] = {a, b, c, d, e};  /* what tuple.__new__ does, without a tuple made first */
        PyObject *made = ((PyTypeObject *)kind)->tp_alloc((PyTypeObject *)kind, 5);
        if (made)
            for (int place = 0; place < 5; place++) {
                Py_INCREF(items[place]);
                PyTuple_SET_ITEM(made, place, items[place]);
            }
        return made;
    }
    #define gl_count(x) __builtin_popcountll(x)
    #define gl_lowest(x) __builtin_ctzll(x)
    """
    object item "gl_item"(object sequence, Py_ssize_t place)
    object made "gl_made"(object kind, object a, object b, object c, object d, object e)
    int count "gl_count"(u64 bits) noexcept
    int lowest "gl_lowest"(u64 bits) noexcept

@cython.locals(place=Py_ssize_t, cells=list)
cdef list listed(u64 bits)

@cython.final
cdef class LegalCells:
    cdef object shape, grid
    cdef bint closes_own, closes_other, king
    cdef int head, size, cols
    cdef u64 board, not_left
    cdef u64[64] reach

    @cython.locals(mine=u64, theirs=u64, closed=u64, cell=Py_ssize_t)
    cdef u64 legal(self, position) except? 0

    @cython.locals(wide=u64, tall=u64)
    cdef u64 around(self, u64 bits) noexcept
