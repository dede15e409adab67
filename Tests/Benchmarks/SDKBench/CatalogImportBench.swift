import Benchmarking
import Foundation
import PouchAsyncHTTPClient
import PouchClient
import PouchData
import PouchPersistence
import PouchService
import Synchronization

/// What it takes to bring a whole catalogue into the local store, step by step.
struct CatalogImportBench {
    static let rounds = 5

    let server: URL

    func show() async throws {
        say(
            "\nImport of \(ConstantServer.products) products in pages of \(ConstantServer.pageSize), "
                + "seconds (median of \(Self.rounds))\n")
        say(
            "".padded(20)
                + ["whole", "decoding", "rows", "writing", "products/s"].map { $0.leftPadded(12) }.joined())
        try await show("in memory") { _, _ in MemoryStore() }
        try await show("SQLite") { file, steps in
            try await SQLiteStore.open(
                at: file,
                onImport: { times in
                    steps.add("rows", times.converting)
                    steps.add("writing", times.storing)
                })
        }
    }

    private func show(_ name: String, _ store: (URL, Steps) async throws -> any LocalStore) async throws {
        let transport = try AsyncHTTPClientTransport()
        var figures: [[Double]] = []
        for _ in 0..<Self.rounds {
            let folder = FileManager.default.temporaryDirectory.appending(path: "pouch-bench-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let steps = Steps()
            let local = try await store(folder.appending(path: "store.sqlite"), steps)
            let service = PouchService(
                server: server, transport: transport, sessionStore: MemorySessionStore())
            let meter = WorkMeter { step, duration in steps.add("\(step)", duration) }
            let catalog = CatalogManager(data: DataManager(service: service, store: local, meter: meter))
            let start = ContinuousClock.now
            try await catalog.refresh()
            let whole = (ContinuousClock.now - start) / .seconds(1)
            // In memory there are no rows, and storing is all that there is.
            let writing = steps["writing"] > 0 ? steps["writing"] : steps["storing"]
            figures.append([whole, steps["decoding"], steps["rows"], writing])
        }
        let medians = (0..<4).map { column in figures.map { $0[column] }.median }
        say(
            name.padded(20) + medians.map { String(format: "%.2f", $0).leftPadded(12) }.joined()
                + String(Int(Double(ConstantServer.products) / medians[0])).leftPadded(12))
    }
}

/// Sums of durations by the name of a step, in seconds.
final class Steps: Sendable {
    private let sums = Mutex<[String: Double]>([:])

    func add(_ step: String, _ duration: Duration) {
        sums.withLock { $0[step, default: 0] += duration / .seconds(1) }
    }

    subscript(step: String) -> Double { sums.withLock { $0[step] ?? 0 } }
}
