import Foundation

/// Decodes one element of a LAYERS file, alone, so that a bad one is a reported row.
public struct LayersRowDecoder: Sendable {
    private let decoder = JSONDecoder()

    /// - Parameter timeZone: in which dates are that do not say it.
    public init(timeZone: TimeZone) {
        if let key = LayersDate.timeZone { decoder.userInfo[key] = timeZone }
    }

    public func row(_ element: JSONArrayElements.Element, of file: LayersFile) throws(FeedRowError) -> LayersRow {
        do throws(FeedRowError) {
            let content: LayersRow.Content =
                switch file {
                case .seasons: .season(try decode(LayersSeasonRow.self, from: element))
                case .products: .product(try decode(LayersProductRow.self, from: element))
                case .slides: .slide(try decode(LayersSlideRow.self, from: element))
                }
            return LayersRow(line: element.line, content: content)
        } catch {
            throw error.in(file)
        }
    }

    private func decode<Row: Decodable>(
        _ type: Row.Type, from element: JSONArrayElements.Element
    ) throws(FeedRowError) -> Row {
        let line = element.line
        guard let bytes = element.bytes else {
            throw FeedRowError(line: line, code: .tooLong, detail: "the object is longer than 1 MiB")
        }
        do {
            return try decoder.decode(type, from: Data(bytes))
        } catch let DecodingError.keyNotFound(key, context) {
            throw FeedRowError(
                line: line, field: Self.field(context.codingPath + [key]), code: .required, detail: "the key is missing"
            )
        } catch let DecodingError.valueNotFound(_, context) {
            throw FeedRowError(
                line: line, field: Self.field(context.codingPath), code: .required, detail: "there is no value")
        } catch let DecodingError.typeMismatch(_, context) {
            throw FeedRowError(
                line: line, field: Self.field(context.codingPath), code: .invalid,
                detail: "the value has the wrong type")
        } catch let DecodingError.dataCorrupted(context) where !context.codingPath.isEmpty {
            throw FeedRowError(
                line: line, field: Self.field(context.codingPath), code: .invalid, detail: "the value cannot be read")
        } catch {
            throw FeedRowError(line: line, code: .malformed, detail: "this is not a JSON object")
        }
    }

    private static func field(_ path: [any CodingKey]) -> String? {
        path.isEmpty ? nil : path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}

extension FeedRowError {
    /// The same, saying in its detail in which of the files it stands.
    func `in`(_ file: LayersFile) -> FeedRowError {
        FeedRowError(line: line, field: field, code: code, detail: "\(file.rawValue): \(detail)")
    }
}
