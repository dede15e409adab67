import Hummingbird
import PouchHTTP

/// A part of the site, chosen by the path of a visit: the shop or its administration. Contains the differences between
/// the pages of the parts.
struct SitePart: Sendable {
    /// The language of all its pages; nil for the visitor's language.
    let language: Language?
    let signInPath: String
    /// The prefix of input ids, before the name of the field.
    let inputPrefix: String
    /// The texts of problems with forms, by key; the API's own texts replace missing ones.
    let problemTexts: @Sendable (Site, Visit) -> [String: String]
    /// Creates the page for a request that failed.
    let problemPage: @Sendable (Site, RequestProblem, Visit) async -> PageContent
    /// Wraps the effect of each form, for example to ask for the password first.
    let aroundForms: @Sendable (Submission, PageRoutes.Effect) async throws -> Response

    static let shop = SitePart(
        language: nil, signInPath: "/sign-in", inputPrefix: "", problemTexts: { $0.texts($1) },
        problemPage: { $0.problemPage($1, $2) }, aroundForms: { try await $1($0) })

    /// The administration, in English. Problems show the API's own text unless it refers to JSON.
    static let administration = SitePart(
        language: .english, signInPath: AdminPath.signIn, inputPrefix: "f-",
        problemTexts: { _, _ in AdminProblem.texts },
        problemPage: { await AdminProblem.content($1, $0, $2) }, aroundForms: AdminConfirmation.around)

    static func containing(_ path: String) -> SitePart { AdminPath.contains(path) ? administration : shop }
}
