import Foundation
import PouchNetwork

/// The responses of a cache as files: a head and a body for each response. Each file is written under another name and
/// then renamed. The head is written last and contains the checksum of the body, so incomplete and damaged responses
/// are detected when they are read, and removed. Several processes may share a folder: the first use in each process
/// removes incomplete files, even those that another process is writing. That process then does not keep the response.
actor ResponseFiles {
    private struct Head: Codable {
        let key: String
        let headers: [[String]]
        let storedAt: Date
        let byteCount: Int
        let checksum: String
        let body: String
    }

    private struct Stored {
        let body: String
        let byteCount: Int
        var lastUse: Date
    }

    private static let headSuffix = ".head"

    private let folder: URL
    private let byteLimit: Int
    private let entryLimit: Int
    private let thread = FileThread()
    private var drafts = 0
    /// The stored responses by name; nil before the folder has been read.
    private var index: [String: Stored]?
    private var bytes = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(folder: URL, byteLimit: Int, entryLimit: Int) {
        self.folder = folder
        self.byteLimit = byteLimit
        self.entryLimit = entryLimit
    }

    /// - Returns: nil if there is no intact response.
    func read(_ key: String) -> CachedResponse? {
        loadIndex()
        let name = Self.name(key)
        guard let head = head(name), head.key == key else { return nil }
        guard let data = try? Data(contentsOf: folder.appending(path: head.body)), data.count == head.byteCount,
            Checksum(data).text == head.checksum
        else {
            drop(name)
            return nil
        }
        touch(name)
        let fields = head.headers.filter { $0.count == 2 }.map { HeaderFields.Field(name: $0[0], value: $0[1]) }
        return CachedResponse(key: key, headers: HeaderFields(fields), data: data, storedAt: head.storedAt)
    }

    /// The body of a response as a file; nil if there is none.
    func file(_ key: String) -> URL? {
        loadIndex()
        guard let head = head(Self.name(key)), head.key == key else { return nil }
        let file = folder.appending(path: head.body)
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }

    /// Stores the response. If the disk is full, the earlier response remains, or none.
    func write(_ response: CachedResponse) {
        loadIndex()
        let name = Self.name(response.key)
        guard response.byteCount <= byteLimit / 4 else { return drop(name) }
        let checksum = Checksum(response.data).text
        let suffix = Self.suffix(of: response.key)
        let head = Head(
            key: response.key, headers: response.headers.fields.map { [$0.name, $0.value] },
            storedAt: response.storedAt, byteCount: response.data.count, checksum: checksum,
            body: "\(name)-\(checksum).\(suffix)")
        do {
            let old = index?[name]
            if old?.body != head.body { try replace(head.body, with: response.data) }
            try replace(name + Self.headSuffix, with: try JSONEncoder().encode(head))
            if let old, old.body != head.body { unlink(folder.appending(path: old.body).path) }
            bytes += response.byteCount - (old?.byteCount ?? 0)
            index?[name] = Stored(body: head.body, byteCount: response.byteCount, lastUse: Date())
            makeRoom()
        } catch {
            drop(name)
        }
    }

    func remove(_ key: String) {
        loadIndex()
        drop(Self.name(key))
    }

    private func head(_ name: String) -> Head? {
        guard let data = try? Data(contentsOf: folder.appending(path: name + Self.headSuffix)) else { return nil }
        guard let head = try? JSONDecoder().decode(Head.self, from: data), Self.isBody(head.body, of: name) else {
            drop(name)
            return nil
        }
        return head
    }

    private func replace(_ name: String, with data: Data) throws {
        drafts += 1
        let draft = folder.appending(path: "\(name).\(getpid())-\(drafts).draft")
        do {
            try data.write(to: draft)
            guard rename(draft.path, folder.appending(path: name).path) == 0 else {
                throw CocoaError(.fileWriteUnknown)
            }
        } catch {
            unlink(draft.path)
            throw error
        }
    }

    /// Removes more than necessary, so that the next responses need no search.
    private func makeRoom() {
        guard let index, bytes > byteLimit || index.count > entryLimit else { return }
        for (name, _) in index.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            guard bytes > byteLimit * 3 / 4 || (self.index?.count ?? 0) > entryLimit * 3 / 4 else { return }
            drop(name)
        }
    }

    private func drop(_ name: String) {
        unlink(folder.appending(path: name + Self.headSuffix).path)
        guard let stored = index?.removeValue(forKey: name) else { return }
        bytes -= stored.byteCount
        unlink(folder.appending(path: stored.body).path)
    }

    /// Records the use in the head's modification date, which outlives the process.
    private func touch(_ name: String) {
        index?[name]?.lastUse = Date()
        utimes(folder.appending(path: name + Self.headSuffix).path, nil)
    }

    /// Reads the folder once, and removes bodies without a head and files that were not completed.
    private func loadIndex() {
        guard index == nil else { return }
        try? FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var found: [String: Stored] = [:]
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        var bodies: [String: [String]] = [:]
        for name in names where Self.isOurs(name) {
            if name.hasSuffix(".draft") {
                unlink(folder.appending(path: name).path)
            } else if !name.hasSuffix(Self.headSuffix) {
                bodies[String(name.prefix(16)), default: []].append(name)
            }
        }
        for file in names where Self.isOurs(file) && file.hasSuffix(Self.headSuffix) {
            let name = String(file.prefix(16))
            let all = bodies.removeValue(forKey: name) ?? []
            guard let body = all.count == 1 ? all.first : head(name)?.body else { continue }
            for other in all where other != body { unlink(folder.appending(path: other).path) }
            let head = try? FileManager.default.attributesOfItem(atPath: folder.appending(path: file).path)
            let size = try? FileManager.default.attributesOfItem(atPath: folder.appending(path: body).path)[.size]
            let byteCount = (size as? NSNumber)?.intValue ?? 0
            found[name] = Stored(
                body: body, byteCount: byteCount + 256,
                lastUse: head?[.modificationDate] as? Date ?? Date(timeIntervalSince1970: 0))
        }
        for body in bodies.values.joined() { unlink(folder.appending(path: body).path) }
        bytes = found.values.reduce(0) { $0 + $1.byteCount }
        index = found
        makeRoom()
    }

    private static func name(_ key: String) -> String { Checksum(key.utf8).text }

    /// The URL's own suffix, so that programs that open the file recognise its type.
    private static func suffix(of key: String) -> String {
        let path = key.prefix { $0 != "?" && $0 != "#" }
        guard let dot = path.lastIndex(of: "."), case let suffix = path[path.index(after: dot)...],
            (1...8).contains(suffix.count), suffix.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
        else { return "body" }
        return suffix == "head" || suffix == "draft" ? "body" : String(suffix)
    }

    /// Whether the cache created the file: its name starts with 16 hexadecimal digits and a dot or hyphen.
    private static func isOurs(_ file: String) -> Bool {
        file.prefix(16).count == 16 && file.prefix(16).allSatisfy(\.isHexDigit) && file.dropFirst(16).first != nil
            && ".-".contains(file.dropFirst(16).first ?? " ")
    }

    private static func isBody(_ file: String, of name: String) -> Bool {
        file.hasPrefix(name + "-") && !file.contains("/")
    }
}
