@MainActor
public protocol CancelDropoffLocationSelectionResponder: AnyObject {
    func cancelDropoffLocationSelection() throws(IllegalTransition)
}
