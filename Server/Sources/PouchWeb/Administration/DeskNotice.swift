import Foundation
import PouchHTTP
import PouchJSON
import PouchWire

/// A message about a form's effect, which the next page shows once, with a form that takes it back if that is easy.
///
///     submission.tell("The tracking was removed.", undo: .init(action: path, fields: fields))
struct DeskNotice: Sendable, Equatable {
    /// A form that takes the change back.
    struct Undo: Sendable, Equatable {
        /// The path to which it is sent.
        let action: String
        let fields: [Field]

        init(action: String, fields: [Field]) {
            self.action = action
            self.fields = fields
        }
    }

    struct Field: Sendable, Equatable {
        let name: String
        let value: String

        init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    let text: String
    let isBad: Bool
    var undo: Undo?

    init(_ text: String, isBad: Bool = false, undo: Undo? = nil) {
        self.text = text
        self.isBad = isBad
        self.undo = undo
    }

    var values: PageValues {
        var values: PageValues = ["text": text, "isBad": isBad, "undo": false]
        if let undo {
            values["undo"] =
                [
                    "action": undo.action, "label": "Undo",
                    "fields": undo.fields.map { ["name": $0.name, "value": $0.value] as PageValues },
                ] as PageValues
        }
        return values
    }
}

extension DeskNotice: JSONModel {
    static let json = JSONObject(
        DeskNotice.init(_:isBad:undo:), .field("text", \.text), .field("isBad", \.isBad), .field("undo", \.undo))
}

extension DeskNotice.Undo: JSONModel {
    static let json = JSONObject(
        DeskNotice.Undo.init(action:fields:), .field("action", \.action), .field("fields", \.fields))
}

extension DeskNotice.Field: JSONModel {
    static let json = JSONObject(DeskNotice.Field.init, .field("name", \.name), .field("value", \.value))
}

/// Keeps a notice in a cookie from a form to the next page. It is signed, since it may hold a form.
struct DeskNotices {
    private static let list = "notice"
    /// Bytes of a cookie that browsers and `CookieJar` keep for certain.
    private static let longest = 1_900

    private let site: Site

    init(_ site: Site) {
        self.site = site
    }

    /// A notice that is too long for a cookie loses its undo.
    func put(_ notice: DeskNotice, into cookies: CookieJar) {
        let short = DeskNotice(String(notice.text.prefix(200)), isBad: notice.isBad)
        for notice in [notice, short] {
            guard let text = try? site.pager.cursors.cursor(notice, for: Self.list), text.utf8.count <= Self.longest
            else { continue }
            return cookies.set(.notice, to: text, for: 60)
        }
    }

    /// The notice of the cookie, which is removed; also one of a form that names a text by its key.
    func take(from cookies: CookieJar) -> DeskNotice? {
        guard let text = cookies[.notice] else { return nil }
        cookies.remove(.notice)
        if let notice = try? site.pager.cursors.position(DeskNotice.self, from: text, for: Self.list) { return notice }
        return site.theme.texts(.english)["notice-\(text)"].map { DeskNotice($0) }
    }
}

extension Submission {
    /// Tells the member of the staff on the next page what the form has done.
    func tell(_ text: String, undo: DeskNotice.Undo? = nil) {
        DeskNotices(site).put(DeskNotice(text, undo: undo), into: visit.cookies)
    }
}
