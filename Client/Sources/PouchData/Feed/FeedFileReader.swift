import Foundation
import PouchFeed
import PouchService

/// Reads the rows of one file of a feed. A row that cannot be read is reported and left out.
struct FeedFileReader {
    private static let chunkSize = 64 << 10
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// A record and the position of its row in the file, from 0.
    typealias Placed = (row: Int, record: FeedRecord)

    let file: LayersFile
    let answer: ServiceAnswer
    let reportRow: @Sendable (RowReport) -> Void

    /// - Throws: `.unreadableAnswer` where rows cannot be separated, as in a file that was cut off; `.cancelled`.
    func records(
        _ decoder: LayersRowDecoder, _ conversion: inout LayersRecords
    ) async throws(DataError) -> [Placed] {
        var elements = JSONArrayElements(paths: [file.path])
        var rest = answer.data.starts(with: Self.byteOrderMark) ? answer.data.dropFirst(3) : answer.data
        var records: [Placed] = []
        var count = 0
        do throws(JSONArrayElements.Failure) {
            while !rest.isEmpty {
                for element in try elements.consume(Array(rest.prefix(Self.chunkSize))) {
                    for record in convert(element, row: count, decoder, &conversion) { records.append((count, record)) }
                    count += 1
                }
                rest = rest.dropFirst(Self.chunkSize)
                // A large feed must not occupy a thread of the pool.
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

    private func convert(
        _ element: JSONArrayElements.Element, row: Int, _ decoder: LayersRowDecoder, _ conversion: inout LayersRecords
    ) -> [FeedRecord] {
        do throws(FeedRowError) {
            return conversion.records(of: try decoder.row(element, of: file)).filter { record in
                guard case .bad(let error) = record else { return true }
                report(error, row: row)
                return false
            }
        } catch {
            report(error, row: row)
            return []
        }
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
