import Foundation
import Observation
import PouchManagers

/// A value that is read once, and again on demand:
///
///     @State private var product: Loaded<Dated<Product>>
///
///     init(_ handle: String, in pouch: Pouch) {
///         _product = State(initialValue: Loaded { try await pouch.catalog.product(handle: handle) })
///     }
///
///     var body: some View {
///         ProductView(product.value)
///             .overlay { if product.isLoading { ProgressView() } }
///             .task { await product.load() }
///     }
@MainActor @Observable
public final class Loaded<Value: Sendable> {
    /// nil until it is read. Remains while it is read again, and if that fails.
    public private(set) var value: Value?
    public private(set) var isLoading = false
    /// The reason why the last attempt failed; nil after a successful one.
    public private(set) var failure: DataError?

    @ObservationIgnored private let read: @Sendable () async throws(DataError) -> Value
    @ObservationIgnored private var attempts = Attempts()

    public init(_ value: Value? = nil, _ read: @escaping @Sendable () async throws(DataError) -> Value) {
        self.value = value
        self.read = read
    }

    /// Reads the value. Of several concurrent calls, the newest one that is not cancelled is applied.
    public func load() async {
        let attempt = attempts.start()
        isLoading = true
        let result: Result<Value, DataError>
        do throws(DataError) {
            result = .success(try await read())
        } catch {
            result = .failure(error)
        }
        let counts = attempts.end(attempt, isCancelled: result.isCancelled)
        isLoading = attempts.isUnderWay
        guard counts else { return }
        switch result {
        case .success(let new): (value, failure) = (new, nil)
        case .failure(let error): failure = error
        }
    }
}

/// A list that is read page by page:
///
///     @State private var hats: PagedList<Product>
///
///     init(_ pouch: Pouch) {
///         _hats = State(initialValue: PagedList(pouch.catalog.all(ProductQuery(category: "hats"))))
///     }
///
///     var body: some View {
///         List(hats.items) { ProductRow($0) }
///             .task { if hats.items.isEmpty { await hats.loadMore() } }
///         if hats.hasMore { Button("More") { Task { await hats.loadMore() } } }
///     }
@MainActor @Observable
public final class PagedList<Item: Sendable> {
    public var items: [Item] { pages.value }
    /// The time at which the shop returned the items, if they are not current; nil for current ones, and if unknown.
    public var asOf: Date? { staleness == nil ? nil : pages.asOf }
    /// The reason why the items are not current, for example because the shop cannot be reached and they come from this
    /// device.
    public var staleness: DataError? { pages.failure }
    /// The rows of the shop's response that could not be read.
    public var unreadable: [RowReport] { pages.unreadable }
    public private(set) var isLoading = false
    /// Whether there may be more items.
    public private(set) var hasMore = true
    /// The reason why the last attempt failed; nil after a successful one. `loadMore` repeats it.
    public private(set) var failure: DataError?

    private var pages = Dated<[Item]>([])
    @ObservationIgnored private let all: AllPages<Item>
    @ObservationIgnored private var reader: PageReader<Item>
    @ObservationIgnored private var attempts = Attempts()
    @ObservationIgnored private var reloadFailed = false

    public init(_ all: AllPages<Item>) {
        self.all = all
        reader = all.reader
    }

    /// Reads the next page. Ignored while a page is being read, and after the last one. If the list was replaced since
    /// the last page, or a reload has failed, the list is read again from its start.
    public func loadMore() async {
        guard !isLoading else { return }
        if reloadFailed { return await reload() }
        if hasMore { await load(from: reader, replacing: false) }
    }

    /// Reads the list again from its start. The current items remain until the first page arrives.
    public func reload() async {
        await load(from: all.reader, replacing: true)
    }

    private func load(from reader: PageReader<Item>, replacing: Bool) async {
        var reader = reader
        let attempt = attempts.start()
        isLoading = true
        let result: Result<Dated<[Item]>, DataError>
        do throws(DataError) {
            result = .success(try await reader.nextPage() ?? Dated([]))
        } catch {
            result = .failure(error)
        }
        let counts = attempts.end(attempt, isCancelled: result.isCancelled)
        isLoading = attempts.isUnderWay
        guard counts else { return }
        switch result {
        case .success(let page):
            pages = replacing ? page : pages.appending(page)
            (self.reader, hasMore, failure, reloadFailed) = (reader, !reader.isOver, nil, false)
        case .failure(let error) where error.reason == .listChanged && !replacing: await reload()
        case .failure(let error): (failure, reloadFailed) = (error, replacing)
        }
    }
}

/// Attempts that may overlap. One that ends after a later one is ignored, as is one that was cancelled.
private struct Attempts {
    private var running: Set<Int> = []
    private var latest = 0
    private var latestOutcome = 0

    var isUnderWay: Bool { running.contains { $0 > latestOutcome } }

    mutating func start() -> Int {
        latest += 1
        running.insert(latest)
        return latest
    }

    /// Returns whether to use the attempt's result.
    mutating func end(_ attempt: Int, isCancelled: Bool) -> Bool {
        running.remove(attempt)
        guard !isCancelled, attempt > latestOutcome else { return false }
        latestOutcome = attempt
        return true
    }
}

extension Result where Failure == DataError {
    fileprivate var isCancelled: Bool {
        if case .failure(let error) = self { error.reason == .cancelled } else { false }
    }
}
