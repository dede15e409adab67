import CLibpq

/// What the database server said, or what became of the connection.
struct PostgresError: Error, CustomStringConvertible {
    /// Five characters of SQLSTATE; empty where the connection failed without a word.
    let code: String
    let message: String
    let constraint: String?

    init(code: String, message: String, constraint: String? = nil) {
        self.code = code
        self.message = message
        self.constraint = constraint
    }

    /// Without the server's detail, which holds values of the row.
    init(_ result: OpaquePointer) {
        func field(_ name: UInt8) -> String? {
            PQresultErrorField(result, Int32(name)).map { String(cString: $0) }
        }
        code = field(UInt8(ascii: "C")) ?? ""
        message = field(UInt8(ascii: "M")) ?? "the connection was lost"
        constraint = field(UInt8(ascii: "n"))
    }

    var description: String {
        "\(message)\(constraint.map { " [\($0)]" } ?? "") (SQLSTATE \(code.isEmpty ? "none" : code))"
    }

    /// What can be done about it.
    enum Remedy {
        /// Another transaction was in the way.
        case again
        /// A row is there that was not when this transaction looked, or the statement is simply wrong: once more tells.
        case lookAgain
        /// The connection is gone, or what was prepared on it.
        case anotherConnection
        case none
    }

    var remedy: Remedy {
        switch code {
        case "40001", "40P01": .again
        case "23505": .lookAgain
        case "", "57P01", "57P02", "57P03", "25P03", "26000": .anotherConnection
        case "0A000" where message.contains("cached plan"): .anotherConnection
        case let code where code.hasPrefix("08"): .anotherConnection
        default: .none
        }
    }

    static let lost = PostgresError(code: "", message: "the connection was lost")
}
