// The names of the contract for a test's answers and failures.
@_exported import enum PouchContract.Contract
@_exported import protocol PouchContract.AnyExchange
@_exported import struct PouchContract.Exchange
@_exported import struct PouchContract.ProblemDetails
@_exported import struct PouchWire.Endpoint
@_exported import struct PouchWire.Problem
@_exported import struct PouchWire.ProblemCode
