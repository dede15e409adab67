import PouchHTTP
import PouchJSON
import PouchTemplates

/// A message about the effect of a form, shown once on the next page, with a form to undo it if that is simple.
///
///     submission.tell("Tracking was removed.", undo: .init(action: path, fields: fields))
struct Notice: TemplateValues, Equatable {
    /// A form that undoes the change.
    struct Undo: TemplateValues, Equatable {
        /// The path that the form is sent to.
        let action: String
        let fields: [HiddenField]
        /// The text of the button.
        let label: String

        init(action: String, fields: [HiddenField]) {
            self.action = action
            self.fields = fields
            label = "Undo"
        }
    }

    let text: String
    /// Whether the form had the effect that the visitor requested.
    let isGood: Bool
    let undo: Undo?

    init(_ text: String, isGood: Bool = true, undo: Undo? = nil) {
        self.text = text
        self.isGood = isGood
        self.undo = undo
    }
}

/// A field of a form that the page does not show.
struct HiddenField: TemplateValues, Equatable {
    let name, value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension JSONCodable {
    /// The JSON as the value of a hidden field, which the form sends back unchanged.
    var hiddenText: String { (try? json()).map { String(decoding: $0, as: UTF8.self) } ?? "" }
}

extension Notice: JSONModel {
    static let json = JSONObject(
        Notice.init(_:isGood:undo:), .field("text", \.text), .field("isGood", \.isGood), .field("undo", \.undo))
}

extension Notice.Undo: JSONModel {
    static let json = JSONObject(
        Notice.Undo.init(action:fields:), .field("action", \.action), .field("fields", \.fields))
}

extension HiddenField: JSONModel {
    static let json = JSONObject(HiddenField.init(_:_:), .field("name", \.name), .field("value", \.value))
}

extension Visit {
    /// The name of the list in the signature.
    private static let notices = "notice"
    /// The cookie size, in bytes, that browsers and `CookieJar` accept reliably.
    private static let longestNotice = 1_900

    /// Stores a notice in a cookie until the next page. It is signed, so that only the shop can make a page show a text
    /// or a form. If it is too long for a cookie, it loses its undo form.
    func show(_ notice: Notice) {
        let short = Notice(String(notice.text.prefix(200)), isGood: notice.isGood)
        for notice in [notice, short] {
            guard let text = try? site.pager.cursors.cursor(notice, for: Self.notices),
                text.utf8.count <= Self.longestNotice
            else { continue }
            return cookies.set(.notice, to: text, for: 60)
        }
    }

    /// Removes the notice from the cookies and returns it.
    func takeNotice() -> Notice? {
        guard let text = cookies[.notice] else { return nil }
        cookies.remove(.notice)
        return try? site.pager.cursors.position(Notice.self, from: text, for: Self.notices)
    }
}

extension Submission {
    /// Shows a notice about the form's effect on the next page.
    func tell(_ text: String, undo: Notice.Undo? = nil) { visit.show(Notice(text, undo: undo)) }

    /// Shows a notice with a text in the visitor's language.
    ///
    /// - Parameter key: the key of the text, without `notice-`.
    func notice(_ key: String) { tell(visit.text("notice-" + key)) }
}
