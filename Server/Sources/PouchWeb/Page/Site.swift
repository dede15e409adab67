import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchTemplates
import Synchronization

/// The parts that all pages share: the theme, the sessions, the services, and the frame around a page's content.
final class Site: Sendable {
    let services: ShopServices
    let settings: WebSettings
    let sessions: WebSessions
    /// The API routes that forms use; empty before `use`.
    var actions: RouteTable { routes.withLock { $0 } }
    private let routes = Mutex<RouteTable>([:])
    /// The pages that are the same for all visitors.
    let pages: CatalogAnswers<PageBytes>
    let pager: ListPager
    private let categories = MenuCategories()

    var theme: WebTheme { settings.theme }
    var environment: DomainEnvironment { services.environment }
    var shop: ShopSettings { services.environment.shop }
    var now: Date { services.environment.time.now }

    init(_ services: ShopServices, _ settings: WebSettings) {
        self.services = services
        self.settings = settings
        sessions = WebSessions(services)
        pages = CatalogAnswers(catalog: services.catalog, keys: services.keyRing, capacity: 32 << 20)
        pager = ListPager(cursors: CursorSigner(keyRing: services.keyRing, digests: services.environment.digests))
    }

    func use(_ actions: RouteTable) { routes.withLock { $0 = actions } }

    // MARK: The frame

    /// Renders a page that is the same for all visitors, except for its gaps.
    func bytes(_ content: PageContent, _ visit: Visit, menu: [PageFrame.MenuLink]) -> PageBytes {
        PageBytes(
            text(content, visit, menu: menu), mediaType: content.mediaType, digests: environment.digests)
    }

    /// The response with a page for one visitor, which caches must not store.
    func response(_ content: PageContent, _ visit: Visit) async throws -> Response {
        let menu = menu(try await services.catalog.current(), visit)
        var content = content
        if let notice = visit.takeNotice() { content.notice = notice }
        return response(
            bytes(content, visit, menu: menu), visit, status: content.status, headers: content.headers, isPrivate: true)
    }

    /// The response with a page, whose gaps are filled for the visitor.
    ///
    /// - Parameter isPrivate: whether the page is for one visitor, so caches must not store it.
    func response(
        _ page: PageBytes, _ visit: Visit, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:],
        isPrivate: Bool = false
    ) -> Response {
        let body = page.filled { value(of: $0, visit) }
        var response = Response(
            status: status, headers: isPrivate ? PageHeaders.ofOneVisitor : PageHeaders.ofAllVisitors,
            body: .init(byteBuffer: body))
        if page.mediaType != PageHeaders.html { response.headers[.contentType] = page.mediaType }
        for field in headers { response.headers[field.name] = field.value }
        if !isPrivate, status == .ok, let etag = page.etag {
            response.headers[.eTag] = etag
            if let known = visit.request.headers[.ifNoneMatch], ETag.matches(known, etag) {
                response.status = .notModified
                response.body = ResponseBody()
                response.headers[.contentLength] = nil
            }
        }
        visit.cookies.write(to: &response)
        return response
    }

    private func value(of gap: PageBytes.Gap, _ visit: Visit) -> String {
        switch gap {
        case .csrf: sessions.forms.token(in: visit.cookies)
        case .key: sessions.forms.newKey()
        case .cartCount: visit.cookies[.cart].flatMap { Int($0) }.map { $0 > 0 ? String(min($0, 9_999)) : "" } ?? ""
        }
    }

    private func text(_ content: PageContent, _ visit: Visit, menu: [PageFrame.MenuLink]) -> String {
        let errors = content.errors(of: visit)
        let frame = frame(of: content, visit, menu: menu, errors: errors)
        let scope = TemplateScope([frame, content.frame, content.values].compactMap(\.self))
            .adding(PageTexts(texts: visit.texts), named: "t")
        let page = theme.render(content.template, scope)
        guard let errors, page.contains(FormErrors.place) else { return page }
        let linked = TemplateScope(PageErrors(errors: ErrorLinks(in: page).linked(errors)))
        return page.replacing(FormErrors.place, with: theme.render(WebTheme.errorList, linked))
    }

    /// The links in the header.
    func menu(_ catalog: CatalogSnapshot, _ visit: Visit) -> [PageFrame.MenuLink] {
        categories.all(of: catalog).map { category in
            let url = PagePath.category(category.id)
            return .init(name: category.name, url: url, isCurrent: visit.path == url)
        }
    }

    /// The absolute address of a path of the shop, or of a picture, which may be on another server.
    func absolute(_ address: String) -> String { address.hasPrefix("/") ? settings.publicURL + address : address }
}

/// The cached categories of the header's menu. The catalogue counts the products of each category at every call, and
/// pages for one visitor also have the menu, so the categories are cached until the catalogue changes.
private final class MenuCategories: Sendable {
    private struct Kept {
        let serial: Int
        let categories: [PouchEntities.Category]
    }

    private let kept = Mutex<Kept?>(nil)

    func all(of catalog: CatalogSnapshot) -> [PouchEntities.Category] {
        let serial = catalog.serial
        if let kept = kept.withLock({ $0 }), kept.serial == serial { return kept.categories }
        let categories = catalog.categories(season: nil).filter(\.isNamed)
        kept.withLock { $0 = Kept(serial: serial, categories: categories) }
        return categories
    }
}

/// The headers of pages and of their files.
enum PageHeaders {
    /// The policy that lets browsers run only scripts and styles from this server, and embed the page only in its own
    /// frames. Pictures may be on other servers, since an imported catalogue may refer to those of another shop.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; connect-src 'self'; "
        + "form-action 'self'; frame-src 'self'; base-uri 'none'; frame-ancestors 'none'"

    static let html = "text/html; charset=utf-8"

    /// The headers of a page for one visitor, of which no copy may be stored.
    static let ofOneVisitor = headers(cacheControl: "no-store")
    /// The headers of a page for all visitors. It contains the number of units in the visitor's cart.
    static let ofAllVisitors = headers(cacheControl: "private, no-cache")

    private static func headers(cacheControl: String) -> HTTPFields {
        [
            .contentType: html, .cacheControl: cacheControl, .vary: "Accept-Language, Cookie",
            .contentSecurityPolicy: policy, .referrerPolicy: "same-origin", .crossOriginOpenerPolicy: "same-origin",
        ]
    }
}

extension HTTPField.Name {
    static let referrerPolicy = named("Referrer-Policy")
    static let crossOriginOpenerPolicy = named("Cross-Origin-Opener-Policy")
    static let fetchSite = named("Sec-Fetch-Site")
}
