import Foundation
import PouchData
import PouchEntities

/// Finds places by name.
public actor LocationManager {
    private static let freshFor: TimeInterval = 60
    /// The maximum number of responses in memory. Beyond that, all are removed.
    private static let limit = 50

    private struct Question: Hashable {
        let query: String
        let near: GeoPoint?
    }

    private let data: DataManager
    private let now: @Sendable () -> Date
    private var answers: [Question: (places: [NamedLocation], at: Date)] = [:]

    public init(data: DataManager, now: @escaping @Sendable () -> Date = { Date() }) {
        self.data = data
        self.now = now
    }

    /// Places whose names match a text, best match first; with an empty text, places near the point, nearest first. A
    /// query repeated within a minute is answered from memory.
    public func places(matching query: String, near point: GeoPoint?) async throws(DataError) -> [NamedLocation] {
        let question = Question(query: query.trimmingCharacters(in: .whitespacesAndNewlines), near: point)
        if let answer = answers[question], (0..<Self.freshFor).contains(now().timeIntervalSince(answer.at)) {
            return answer.places
        }
        let search = question.query.isEmpty ? nil : question.query
        let places = try await data.places(matching: search, near: point).items
        if answers.count >= Self.limit { answers.removeAll() }
        answers[question] = (places, now())
        return places
    }

    /// All such places, also those after the first page, never from memory.
    public nonisolated func all(matching query: String = "", near point: GeoPoint? = nil) -> AllPages<NamedLocation> {
        let query = query.trimmingCharacters(in: .whitespacesAndNewlines)
        return AllPages { [data] cursor throws(DataError) in
            try await data.places(
                matching: query.isEmpty ? nil : query, near: point, limit: DataManager.largestPage, cursor: cursor)
        }
    }
}
