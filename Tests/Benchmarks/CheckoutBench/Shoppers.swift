import PouchDomain
import PouchEntities

/// Guests with filled carts, by number: the session of number 100000001 is `ses_100000001`.
struct Shoppers: Sendable {
    let name: String
    let numbers: Range<Int>

    static func ownerId(_ number: Int) -> String { "ses_\(number)" }

    static func session(_ number: Int) -> SessionRecord {
        SessionRecord(id: ownerId(number), kind: .guest, accountId: nil, email: nil, createdAt: SystemTime().now)
    }
}
