"""manifest.xml: where Excel finds the add-in, and the button that opens its pane.

No <Namespace>: with one, Excel would call the functions NAMESPACE.XM_INTEREST.  The requirement is the first
runtime whose errors have codes.  The permission is the one of Microsoft's own templates for functions.
"""

from __future__ import annotations

import re
import uuid
from xml.sax.saxutils import escape

from xlmodel import __version__

_TEMPLATE = """\
<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<OfficeApp xmlns="http://schemas.microsoft.com/office/appforoffice/1.1"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xmlns:bt="http://schemas.microsoft.com/office/officeappbasictypes/1.0"
    xsi:type="TaskPaneApp">
  <Id>{id}</Id>
  <Version>{version}</Version>
  <ProviderName>xlmodel</ProviderName>
  <DefaultLocale>en-US</DefaultLocale>
  <DisplayName DefaultValue="xlmodel"/>
  <Description DefaultValue="Asset-backed securities in cells: the functions XM_..."/>
  <IconUrl DefaultValue="{url}/icon-32.png"/>
  <HighResolutionIconUrl DefaultValue="{url}/icon-64.png"/>
  <SupportUrl DefaultValue="{url}/pane.html"/>
  <AppDomains>
    <AppDomain>{origin}</AppDomain>
  </AppDomains>
  <Hosts>
    <Host Name="Workbook"/>
  </Hosts>
  <Requirements>
    <Sets DefaultMinVersion="1.3">
      <Set Name="CustomFunctionsRuntime"/>
    </Sets>
  </Requirements>
  <DefaultSettings>
    <SourceLocation DefaultValue="{url}/pane.html"/>
  </DefaultSettings>
  <Permissions>ReadWriteDocument</Permissions>
  <VersionOverrides xmlns="http://schemas.microsoft.com/office/taskpaneappversionoverrides"
      xsi:type="VersionOverridesV1_0">
    <Hosts>
      <Host xsi:type="Workbook">
        <AllFormFactors>
          <ExtensionPoint xsi:type="CustomFunctions">
            <Script>
              <SourceLocation resid="Script"/>
            </Script>
            <Page>
              <SourceLocation resid="Page"/>
            </Page>
            <Metadata>
              <SourceLocation resid="Metadata"/>
            </Metadata>
          </ExtensionPoint>
        </AllFormFactors>
        <DesktopFormFactor>
          <ExtensionPoint xsi:type="PrimaryCommandSurface">
            <OfficeTab id="TabFormulas">
              <Group id="xlmodel.Group">
                <Label resid="Name"/>
                <Icon>
                  <bt:Image size="16" resid="Icon16"/>
                  <bt:Image size="32" resid="Icon32"/>
                  <bt:Image size="80" resid="Icon80"/>
                </Icon>
                <Control xsi:type="Button" id="xlmodel.Pane">
                  <Label resid="Name"/>
                  <Supertip>
                    <Title resid="Name"/>
                    <Description resid="Tip"/>
                  </Supertip>
                  <Icon>
                    <bt:Image size="16" resid="Icon16"/>
                    <bt:Image size="32" resid="Icon32"/>
                    <bt:Image size="80" resid="Icon80"/>
                  </Icon>
                  <Action xsi:type="ShowTaskpane">
                    <TaskpaneId>xlmodel</TaskpaneId>
                    <SourceLocation resid="Pane"/>
                  </Action>
                </Control>
              </Group>
            </OfficeTab>
          </ExtensionPoint>
        </DesktopFormFactor>
      </Host>
    </Hosts>
    <Resources>
      <bt:Images>
        <bt:Image id="Icon16" DefaultValue="{url}/icon-16.png"/>
        <bt:Image id="Icon32" DefaultValue="{url}/icon-32.png"/>
        <bt:Image id="Icon80" DefaultValue="{url}/icon-80.png"/>
      </bt:Images>
      <bt:Urls>
        <bt:Url id="Script" DefaultValue="{url}/functions.js"/>
        <bt:Url id="Page" DefaultValue="{url}/functions.html"/>
        <bt:Url id="Metadata" DefaultValue="{url}/functions.json"/>
        <bt:Url id="Pane" DefaultValue="{url}/pane.html"/>
      </bt:Urls>
      <bt:ShortStrings>
        <bt:String id="Name" DefaultValue="xlmodel"/>
      </bt:ShortStrings>
      <bt:LongStrings>
        <bt:String id="Tip" DefaultValue="Whether the server answers, and its token where it asks for one."/>
      </bt:LongStrings>
    </Resources>
  </VersionOverrides>
</OfficeApp>
"""


def manifest(public_url: str) -> str:
    """The manifest of the server at this address; one address is one add-in, with an id of its own."""
    url = public_url.rstrip("/")
    return _TEMPLATE.format(
        id=uuid.uuid5(uuid.NAMESPACE_URL, url),
        version=_four_numbers(__version__),
        url=escape(url, {'"': "&quot;"}),
        origin=escape("/".join(url.split("/")[:3])),
    )


def _four_numbers(version: str) -> str:
    """``0.1.0`` as ``0.1.0.0``; Office takes no other form."""
    numbers = re.findall(r"\d+", version)[:3]
    return ".".join([*numbers, *["0"] * (4 - len(numbers))])
