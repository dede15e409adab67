import Foundation
import PouchData
import PouchEntities

/// Finds places by name.
public actor LocationManager {
    private static let freshFor: TimeInterval = 60
    /// Beyond it, all answers are dropped.
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

    /// The best match first; with an empty text, the nearest first. A question of the last minute is answered from
    /// memory.
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
}
