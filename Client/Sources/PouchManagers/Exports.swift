// The error that every manager throws.
@_exported import struct PouchData.DataError
