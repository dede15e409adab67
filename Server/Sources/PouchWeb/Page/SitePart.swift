import Hummingbird
import PouchHTTP

/// A part of the site: the shop or its administration. The path of a visit chooses it. Holds what differs between the
/// pages of the parts.
struct SitePart: Sendable {
    /// The language of all its pages; nil for that of the visitor.
    let language: Language?
    let signInPath: String
    /// The ids of inputs are the names of their fields with this prefix.
    let inputPrefix: String
    /// The texts of problems with forms, by their keys; the API's own words stand for those that are missing.
    let problemTexts: @Sendable (Site, Visit) -> [String: String]
    /// Makes the page for a request that cannot be answered.
    let problemPage: @Sendable (Site, RequestProblem, Visit) async -> PageContent
    /// Runs around the effect of each form, such as to ask for the password first.
    let aroundForms: @Sendable (Submission, PageRoutes.Effect) async throws -> Response

    static let shop = SitePart(
        language: nil, signInPath: "/sign-in", inputPrefix: "", problemTexts: { $0.texts($1) },
        problemPage: { ProblemPage($0).content($1, $2) }, aroundForms: { try await $1($0) })

    /// In English. Problems show the API's own text unless it speaks of JSON.
    static let administration = SitePart(
        language: .english, signInPath: AdminPath.signIn, inputPrefix: "f-", problemTexts: { _, _ in AdminProblem.texts },
        problemPage: { await AdminProblem($0).content($1, $2) }, aroundForms: AdminConfirmation.around)

    static func containing(_ path: String) -> SitePart { AdminPath.contains(path) ? administration : shop }
}
