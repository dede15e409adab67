import Hummingbird
import NIOCore
import PouchHTTP
import PouchWire

/// The body of a form with files. It is read as it arrives, one part after the other.
///
/// Only one task at a time uses it, so it is unchecked: first the page's task, then the API route that receives a file,
/// which the page waits for.
final class MultipartBody: @unchecked Sendable {
    private var parser: MultipartParser
    private var source: RequestBody.AsyncIterator
    private var isInPart = false

    /// Creates the body of a request; nil for another media type.
    /// - Throws: `RequestProblem` without a valid boundary.
    init?(_ request: Request) throws {
        guard let type = request.headers[.contentType].flatMap(HeaderParameters.init),
            type.value == "multipart/form-data"
        else { return nil }
        do { parser = try MultipartParser(boundary: type["boundary"] ?? "") } catch { throw Self.problem(error) }
        source = request.body.makeAsyncIterator()
    }

    /// Returns the head of the next part; nil after the last. Skips the unread rest of the previous part.
    ///
    /// - Throws: `RequestProblem`, also at the end of an incomplete body.
    func part() async throws -> MultipartHead? {
        while try await piece() != nil {}
        guard case .part(let head) = try await event() else { return nil }
        isInPart = true
        return head
    }

    /// Returns the next bytes of the part; nil at its end, which is known only after the next boundary was received.
    func piece() async throws -> ByteBuffer? {
        guard isInPart else { return nil }
        if case .bytes(let bytes) = try await event() { return bytes }
        isInPart = false
        return nil
    }

    private func event() async throws -> MultipartParser.Event {
        do {
            while true {
                if let event = try parser.next() { return event }
                guard let piece = try await source.next() else { throw MultipartError.incomplete }
                parser.receive(piece)
            }
        } catch let error as MultipartError { throw Self.problem(error) }
    }

    // MARK: Fields

    /// Reads the texts up to the first file, or up to the end.
    ///
    /// - Throws: `RequestProblem` if they have more bytes or fields than other forms may have, or are not texts.
    func fields() async throws -> (FormBody, file: MultipartHead?) {
        var (fields, room): ([QueryString.Item], Int) = ([], Limits.bodyBytes)
        while let head = try await part() {
            guard head.fileName == nil else { return (FormBody(fields), head) }
            var text = ByteBuffer()
            while let piece = try await piece() {
                room -= piece.readableBytes
                guard room >= 0 else { throw RequestProblem(.bodyTooLarge) }
                text.writeImmutableBuffer(piece)
            }
            room -= head.field.utf8.count
            guard room >= 0, fields.count < FormBody.maxFields, head.field.utf8.count <= FormBody.longestName else {
                throw RequestProblem(.bodyTooLarge)
            }
            guard let value = String(validating: text.readableBytesView, as: UTF8.self), FormBody.accepts(value) else {
                throw RequestProblem(.invalidRequest, "The form contains characters that the shop cannot read.")
            }
            fields.append(QueryString.Item(name: head.field, value: value))
        }
        return (FormBody(fields), nil)
    }

    private static func problem(_ error: MultipartError) -> RequestProblem {
        switch error {
        case .malformed: RequestProblem(.invalidRequest, "The form cannot be read. Reload its page and try again.")
        case .incomplete: RequestProblem(.invalidRequest, "The form was only partly received. Send it again.")
        case .headerTooLarge:
            RequestProblem(.bodyTooLarge, "The name of a file or field is too long. Choose a shorter one.")
        }
    }
}

/// The files of a form, which come after its other fields, one at a time.
struct FileFields: Sendable {
    /// A file while it is received.
    struct File: Sendable {
        let field: String
        /// The name of the file on the visitor's device, for people.
        let name: String
        /// The media type that the browser sent; the actual type is determined by the content.
        let mediaType: String?
        /// The bytes as they arrive, which can be read once. Throws if the body ends early.
        let bytes: RequestBody
    }

    private let body: MultipartBody
    private let first: MultipartHead?

    init(_ body: MultipartBody, first: MultipartHead?) {
        self.body = body
        self.first = first
    }

    /// Calls `use` with each file in turn. Skips fields without a chosen file, and texts after a file.
    func forEach(_ use: (File) async throws -> Void) async throws {
        var head = first
        while let part = head {
            if let name = part.fileName, !name.isEmpty {
                try await use(
                    File(
                        field: part.field, name: name, mediaType: part.mediaType,
                        bytes: RequestBody(asyncSequence: Pieces(body: body))))
            }
            head = try await body.part()
        }
    }

    /// The bytes of the current part.
    private struct Pieces: AsyncSequence, Sendable {
        let body: MultipartBody

        struct AsyncIterator: AsyncIteratorProtocol {
            let body: MultipartBody
            func next() async throws -> ByteBuffer? { try await body.piece() }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: body) }
    }
}
