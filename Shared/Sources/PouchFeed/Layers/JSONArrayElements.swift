/// Splits the bytes of a JSON file, chunk by chunk, into the elements of one array, without decoding them.
///
/// The longest element bounds the memory. JSON strings contain no raw line breaks, so a line break within a string
/// means that the line lacks a quote. Then only the brackets and commas of the line are scanned again, so that the
/// mistake affects only its own element.
///
///     var elements = JSONArrayElements(paths: [["products"]])
///     for chunk in chunks { rows += try elements.consume(chunk) }
///     try elements.finish()
public struct JSONArrayElements: Sendable {
    public static let maximumElementBytes = 1 << 20
    private static let maximumDepth = 512
    private static let maximumKeyBytes = 256

    public struct Element: Sendable {
        /// The physical line on which the element starts, from 1.
        public let line: Int
        /// nil for an element of more than `maximumElementBytes`.
        public let bytes: [UInt8]?
    }

    /// The file's structure is broken, so that its elements cannot be separated.
    public struct Failure: Error {
        public let line: Int
        public let detail: String
    }

    private enum Container {
        case object, array
    }

    private let paths: [[String]]
    private var line = 1
    private var containers: [Container] = []
    private var isInString = false
    private var isEscaped = false
    private var isClosed = false

    private var lastString: [UInt8] = []
    /// The latest key on each level outside the array.
    private var keys: [String] = []

    private var wasFound = false
    /// The number of open containers directly inside the array; nil outside it.
    private var depthOfElements: Int?
    private var elementLine: Int?
    private var element: [UInt8] = []
    /// The open containers at the start of the line or, if the line has several elements, of the element, and the bytes
    /// since then.
    private var containersBefore: [Container] = []
    private var bytesSince: [UInt8] = []

    /// - Parameter paths: the possible key paths of the array, at least one. An empty path means the whole file.
    public init(paths: [[String]]) {
        self.paths = paths
    }

    /// Consumes the next bytes of the file and returns the elements that end within them.
    public mutating func consume(_ bytes: [UInt8]) throws(Failure) -> [Element] {
        var elements: [Element] = []
        for byte in bytes {
            if depthOfElements != nil, bytesSince.count < Self.maximumElementBytes { bytesSince.append(byte) }
            if isInString {
                try readInString(byte, &elements)
            } else {
                try read(byte, &elements)
            }
            if byte == UInt8(ascii: "\n") {
                line += 1
                markStart()
            }
        }
        return elements
    }

    /// Whether the file is complete and does not contain the array.
    public var isMissing: Bool { isClosed && !wasFound }

    /// Checks that the file is complete and contains the array.
    public func finish() throws(Failure) {
        guard isClosed else { throw Failure(line: line, detail: "the file is incomplete") }
        guard wasFound else {
            let path = paths[0]
            let place = path.isEmpty ? "the file is not an array" : "there is no array “\(path.joined(separator: "."))”"
            throw Failure(line: 1, detail: place)
        }
    }

    private mutating func read(_ byte: UInt8, _ elements: inout [Element]) throws(Failure) {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
            if elementLine != nil { collect(byte) }
            return
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            try open(byte == UInt8(ascii: "{") ? .object : .array)
            if depthOfElements == containers.count { return }
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            try close(byte == UInt8(ascii: "}") ? .object : .array, &elements)
            if depthOfElements == nil { return }
        case UInt8(ascii: ",") where depthOfElements == containers.count:
            endElement(&elements)
            return
        case UInt8(ascii: "\""):
            isInString = true
            lastString = []
        case UInt8(ascii: ":") where depthOfElements == nil && !keys.isEmpty:
            keys[keys.count - 1] = String(decoding: lastString, as: UTF8.self)
        default:
            break
        }
        guard !containers.isEmpty else { throw Failure(line: line, detail: "this is not a JSON object or array") }
        collect(byte)
    }

    private mutating func readInString(_ byte: UInt8, _ elements: inout [Element]) throws(Failure) {
        collect(byte)
        if byte == UInt8(ascii: "\n") {
            isInString = false
            isEscaped = false
            try rescanLine(&elements)
        } else if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInString = false
        } else if depthOfElements == nil, lastString.count < Self.maximumKeyBytes {
            lastString.append(byte)
        }
    }

    private mutating func rescanLine(_ elements: inout [Element]) throws(Failure) {
        guard depthOfElements != nil else { return }
        containers = containersBefore
        for byte in bytesSince where "{}[],".utf8.contains(byte) { try read(byte, &elements) }
    }

    private mutating func markStart() {
        containersBefore = containers
        bytesSince.removeAll(keepingCapacity: true)
    }

    private mutating func open(_ container: Container) throws(Failure) {
        guard !isClosed else { throw Failure(line: line, detail: "data follows the end") }
        guard containers.count < Self.maximumDepth else { throw Failure(line: line, detail: "nested too deeply") }
        let isTheArray =
            container == .array && !wasFound && paths.contains(keys) && containers.allSatisfy { $0 == .object }
        containers.append(container)
        if isTheArray {
            wasFound = true
            depthOfElements = containers.count
            markStart()
        } else if depthOfElements == nil {
            keys.append("")
        }
    }

    private mutating func close(_ container: Container, _ elements: inout [Element]) throws(Failure) {
        guard containers.last == container else {
            throw Failure(line: line, detail: "a closing bracket has no opening bracket")
        }
        if depthOfElements == nil {
            keys.removeLast()
        } else if depthOfElements == containers.count {
            depthOfElements = nil
            endElement(&elements)
        }
        containers.removeLast()
        isClosed = containers.isEmpty
    }

    private mutating func collect(_ byte: UInt8) {
        guard depthOfElements != nil else { return }
        if elementLine == nil { elementLine = line }
        if element.count <= Self.maximumElementBytes { element.append(byte) }
    }

    private mutating func endElement(_ elements: inout [Element]) {
        markStart()
        guard let start = elementLine else { return }
        elements.append(Element(line: start, bytes: element.count > Self.maximumElementBytes ? nil : element))
        elementLine = nil
        element = []
    }
}
