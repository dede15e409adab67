import Hummingbird
import PouchEntities
import PouchTemplates

/// A page before it is rendered: its values, and the contents of its head.
///
///     PageContent(PasswordValues(email: profile.email), title: "Password")
struct PageContent: Sendable {
    var values: any PageModel
    /// The title of the browser tab, without the shop's name.
    var title: String
    /// The values of a frame inside the frame of all pages, such as the administration's.
    var frame: (any TemplateValues)?
    /// The notice to show, unless a form has left one for this page.
    var notice: Notice?
    var failure: Failure
    var status = HTTPResponse.Status.ok
    /// The description for search engines and link previews; nil for none.
    var description: String?
    /// The canonical path of the page, for search engines; nil for a page that they should not index.
    var canonicalPath: String?
    /// The path of the page with its required query, for the links to other languages; nil for the path of the
    /// request.
    var address: String?
    /// The form whose entries are kept when the visitor changes the language.
    var form: Form?
    /// The type for link previews (Open Graph).
    var kind = "website"
    /// The picture for link previews.
    var picture: String?
    /// The price for link previews of a product.
    var price: Money?
    /// Structured data for search engines, as JSON-LD.
    var facts: String?
    /// The script of the page; the shop's, unless the page belongs to another part.
    var script = "shop"
    /// The media type; HTML, unless the template writes something else, such as a feed.
    var mediaType: String
    /// Additional headers of the response.
    var headers: HTTPFields = [:]

    struct Form: Sendable {
        let id: String
        /// The form address that shows the page again, without any effect that the visitor would not expect.
        let address: String
    }

    /// The errors that the page shows with its form.
    enum Failure: Sendable {
        /// The errors of the submitted form, whose input ids have the prefix of the site's part.
        case ofVisit
        /// The errors of the submitted form, whose input ids have this prefix.
        case ofInputs(prefix: String)
        case own(FormErrors)
        case none
    }

    init(
        _ values: some PageModel, title: String = "", mediaType: String = PageHeaders.html,
        failure: Failure = .ofVisit
    ) {
        self.values = values
        self.title = title
        self.mediaType = mediaType
        self.failure = failure
    }

    var template: String { type(of: values).template }

    func errors(of visit: Visit) -> FormErrors? {
        switch failure {
        case .ofVisit: visit.failure?.errors(prefix: visit.part.inputPrefix)
        case .ofInputs(let prefix): visit.failure?.errors(prefix: prefix)
        case .own(let errors): errors
        case .none: nil
        }
    }
}

/// The outcome of a form that took effect: the address of a page, a page without an address of its own, or a response
/// to a script.
protocol FormOutcome: Sendable {
    func response(to visit: Visit) async throws -> Response
}

extension PageContent: FormOutcome {
    func response(to visit: Visit) async throws -> Response { try await visit.site.response(self, visit) }
}

extension Response: FormOutcome {
    func response(to visit: Visit) -> Response {
        var response = self
        visit.cookies.write(to: &response)
        return response
    }
}

/// A redirect to the page that shows the outcome of a form, or to the page that replaced another.
struct Redirect: Error, FormOutcome {
    let location: String
    /// Whether search engines should drop the old address.
    let isPermanent: Bool

    /// - Parameter location: a path on this server, with its query.
    init(to location: String, isPermanent: Bool = false) {
        self.location = location
        self.isPermanent = isPermanent
    }

    func response(to visit: Visit) -> Response {
        // Browsers must not store the redirect: another product may take over the old handle.
        let response = Response(
            status: isPermanent ? .movedPermanently : .seeOther,
            headers: [.location: location, .cacheControl: "no-store"])
        return response.response(to: visit)
    }

    /// The path in a query, if it is on this server. Any other address could lead the visitor to a copy of the
    /// shop.
    static func localPath(_ text: String?) -> String? {
        guard let text, text.hasPrefix("/"), !text.hasPrefix("//"), !text.hasPrefix("/\\"), text.utf8.count <= 512,
            text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\\") })
        else { return nil }
        return text
    }
}

/// The values of a page. `PageModels.all` lists every type.
protocol PageModel: TemplateValues {
    /// The name of the template's file, without `.mustache`.
    static var template: String { get }
}

/// The values of all pages. An owner's templates may use their names.
enum PageModels {
    /// The values around those of a page.
    static let frames: [any TemplateValues.Type] = [PageFrame.self, AccountFrame.self, AdminFrame.self]

    static let all: [any PageModel.Type] = shop + account + administration

    private static let shop: [any PageModel.Type] = [
        HomeValues.self, ProductListValues.self, ProductPageValues.self, SuggestionsValues.self, CartValues.self,
        CheckoutValues.self, OrderValues.self, OrdersValues.self, OrderLinkValues.self, ProblemValues.self,
        NoticeValues.self, DocsValues.self, FeedValues.self, SiteMapValues.self, SiteMapIndexValues.self,
        RobotsValues.self, LLMsValues.self,
    ]

    private static let account: [any PageModel.Type] = [
        SignInValues.self, SignUpValues.self, AccountValues.self, ProfileValues.self, EmailValues.self,
        PasswordValues.self, AddressesValues.self, AddressValues.self, SessionsValues.self, DataValues.self,
        ResetRequestValues.self, ResetPasswordValues.self, VerifyEmailValues.self, JoinStaffValues.self,
    ]

    private static let administration: [any PageModel.Type] = [
        TodayValues.self, AdminOrdersValues.self, AdminOrderValues.self, PackingSlipValues.self, InvoiceValues.self,
        CustomersValues.self, CustomerValues.self, AdminProductsValues.self, AdminProductValues.self,
        AdminConflictValues.self, AdminStockValues.self, AdminTaxonomyValues.self, AdminFrontPageValues.self,
        AdminImportValues.self, DiscountsValues.self, DiscountValues.self, PricesValues.self, SettingsValues.self,
        WebhooksValues.self, WebhookValues.self, AdminMailsValues.self, AdminMailValues.self, StaffValues.self,
        KeysValues.self, AuditValues.self, HealthValues.self, AdminSearchValues.self, ShortcutsValues.self,
        AdminSignInValues.self, AdminConfirmValues.self, AdminSecondFactorValues.self, AdminProblemValues.self,
        StyleguideValues.self,
    ]
}
