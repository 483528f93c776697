"""Shards: the Parquet or NPZ files that contain a dataset's positions.

The same rows always produce the same bytes.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from gridlock.core.errors import BadRecord, needs
from gridlock.datasets.rows import PROOFS, Columns

with needs("dataset"):
    import numpy as np

LISTS = ("board", "values", "partner", "distances")  # columns with a number for every cell


def check_format(form: str) -> None:
    """Raise MissingExtra if the package that a format needs is missing."""
    if form == "parquet":
        with needs("dataset"):
            import pyarrow  # noqa: F401


def encoded(columns: Columns, form: str) -> bytes:
    """Encode a shard as bytes."""
    return npz(columns) if form == "npz" else _parquet(columns)


def decoded(path: Path, data: bytes) -> Columns:
    """Return the columns of a shard; raise BadRecord if it is damaged."""
    try:
        return from_npz(data) if path.suffix == ".npz" else _from_parquet(data)
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:  # pyarrow raises the same kinds of errors
        raise BadRecord(f"{path} is not a shard of a dataset: {error}.") from None


def npz(columns: Columns) -> bytes:
    """Return the columns as an NPZ file.

    At compression level 1, this function is many times faster than NumPy's `savez_compressed`, and the file is hardly
    larger.
    """
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, column in columns.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, column, allow_pickle=False)
            entry = zipfile.ZipInfo(f"{name}.npy")  # with a fixed date
            archive.writestr(entry, member.getvalue(), zipfile.ZIP_DEFLATED, 1)
    return file.getvalue()


def from_npz(data: bytes, *names: str) -> Columns:
    """Return the columns of an NPZ file, or only the columns with the given names."""
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        return {name: file[name] for name in names or file.files}


def _parquet(columns: Columns) -> bytes:
    with needs("dataset"):
        import pyarrow as pa
        import pyarrow.parquet as pq

    def column(name: str) -> pa.Array:
        values = columns[name]
        if name == "proof":
            return pa.array(values.astype(object), pa.string())
        if name not in LISTS:
            return pa.array(values)
        starts = np.arange(0, values.size + 1, values.shape[1], dtype=np.int32)
        return pa.ListArray.from_arrays(pa.array(starts), pa.array(values.reshape(-1)))

    file = io.BytesIO()
    table = pa.table({name: column(name) for name in columns})
    pq.write_table(table, file, compression="zstd")
    return file.getvalue()


def _from_parquet(data: bytes) -> Columns:
    with needs("dataset"):
        import pyarrow as pa
        import pyarrow.parquet as pq

    table = pq.read_table(pa.BufferReader(data)).combine_chunks()
    columns: Columns = {}
    for name in table.column_names:
        column = table.column(name).combine_chunks()
        if name in LISTS:
            columns[name] = column.flatten().to_numpy().reshape(len(column), -1)
        else:
            columns[name] = column.to_numpy(zero_copy_only=False)
    if "proof" in columns:
        columns["proof"] = columns["proof"].astype(PROOFS.dtype)
    return columns
