import PouchData

// The errors and values of all managers, and the managers that only make calls.
@_exported import struct PouchData.AdminManager
@_exported import struct PouchData.AllPages
@_exported import struct PouchData.AssetManager
@_exported import struct PouchData.DataError
@_exported import struct PouchData.Dated
@_exported import struct PouchData.RowReport

package typealias CursorLoopGuard = PouchData.CursorLoopGuard
package typealias PageReader<Item: Sendable> = PouchData.PageReader<Item>
