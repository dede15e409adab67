import Foundation

/// Lists and objects within a column. Keys are sorted, so that equal values are equal texts.
enum StoredJSON {
    static func text(_ value: some Encodable) throws -> SQLValue {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return .text(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    static func optional(_ value: (some Encodable)?) throws -> SQLValue {
        if let value { try text(value) } else { .null }
    }
}

extension SQLRow {
    func json<Value: Decodable>(_ index: Int, _ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(try text(index).utf8))
    }

    func optionalJSON<Value: Decodable>(_ index: Int, _ type: Value.Type = Value.self) throws -> Value? {
        try optional(index, SQLRow.text).map { try JSONDecoder().decode(type, from: Data($0.utf8)) }
    }
}
