import Foundation
import PouchFeed
import PouchService

/// Takes the rows out of one file of a feed. A row that cannot be read is reported, and the next one follows.
struct FeedFileReader {
    private static let chunkSize = 64 << 10
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// What a row says; `row` is its place in the file, from 0.
    typealias Placed = (row: Int, record: FeedRecord)

    let file: LayersFile
    let answer: ServiceAnswer
    let reportRow: @Sendable (RowReport) -> Void
    let meter: WorkMeter

    /// - Throws: `.unreadableAnswer` when rows cannot be told apart, as in a file that was cut off; `.cancelled`.
    func records(
        _ decoder: LayersRowDecoder, _ conversion: inout LayersRecords
    ) async throws(DataError) -> [Placed] {
        var elements = JSONArrayElements(paths: [file.path])
        var rest = answer.data.starts(with: Self.byteOrderMark) ? answer.data.dropFirst(3) : answer.data
        var records: [Placed] = []
        var count = 0
        do throws(JSONArrayElements.Failure) {
            while !rest.isEmpty {
                let rows = try meter.time(.decoding) { () throws(JSONArrayElements.Failure) in
                    try elements.consume(Array(rest.prefix(Self.chunkSize))).map { row($0, decoder) }
                }
                rest = rest.dropFirst(Self.chunkSize)
                records += meter.time(.converting) { convert(rows, from: count, &conversion) }
                count += rows.count
                // A large feed must not keep a thread of the pool for itself.
                await Task.yield()
            }
            try elements.finish()
        } catch {
            throw DataError(
                .unreadableAnswer, log: "\(file.rawValue), line \(error.line): \(error.detail)")
        }
        guard !Task.isCancelled else { throw DataError(.cancelled) }
        return records
    }

    private func row(
        _ element: JSONArrayElements.Element, _ decoder: LayersRowDecoder
    ) -> Result<LayersRow, FeedRowError> {
        do throws(FeedRowError) {
            return .success(try decoder.row(element, of: file))
        } catch {
            return .failure(error)
        }
    }

    private func convert(
        _ rows: [Result<LayersRow, FeedRowError>], from first: Int, _ conversion: inout LayersRecords
    ) -> [Placed] {
        var records: [Placed] = []
        for (index, row) in rows.enumerated() {
            switch row {
            case .success(let row):
                for record in conversion.records(of: row) {
                    if case .bad(let error) = record {
                        report(error, row: first + index)
                    } else {
                        records.append((first + index, record))
                    }
                }
            case .failure(let error): report(error, row: first + index)
            }
        }
        return records
    }

    private func report(_ error: FeedRowError, row: Int) {
        reportRow(RowReport(error, list: file.rawValue, row: row))
    }
}

extension RowReport {
    init(_ error: FeedRowError, list: String, row: Int) {
        let place = ["line \(error.line)", error.field].compactMap(\.self).joined(separator: ", ")
        self.init(list: list, row: row, reason: "\(place): \(error.code.rawValue)", requestId: nil)
    }
}
