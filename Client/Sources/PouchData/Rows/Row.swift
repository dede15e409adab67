/// Reads a value or keeps the reason why it cannot be read, so that a list goes on behind a bad row.
struct Row<Item: Decodable & Sendable>: Decodable, Sendable {
    let result: Result<Item, any Error>

    init(from decoder: any Decoder) throws {
        result = Result { try Item(from: decoder) }
    }
}
